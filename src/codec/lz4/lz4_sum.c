/* lz4_sum.c - the checksum of LZ4 frames, XXH32, which liblz4 does not
 * export. */
#include "base/bytes.h"
#include "codec/lz4/lz4_frame.h"

#define LANES 4
#define ROUND ((size_t)16) /* bytes, four in each lane */

#define P1    2654435761u
#define P2    2246822519u
#define P3    3266489917u
#define P4    668265263u
#define P5    374761393u

static uint32_t
rotate(uint32_t x, int by)
{
	return x << by | x >> (32 - by);
}

/* All whole rounds, mixed into one number. */
static uint32_t
rounds(const uint8_t *p, size_t n)
{
	static const int turns[LANES] = { 1, 7, 12, 18 };
	uint32_t lanes[LANES] = { P1 + P2, P2, 0, 0 - P1 }, sum = 0;

	for (size_t at = 0; n - at >= ROUND; at += ROUND) {
		for (int i = 0; i < LANES; i++)
			lanes[i] = P1
			    * rotate(
			        lanes[i] + P2 * slv_get_le32(p + at + 4 * i),
			        13);
	}
	for (int i = 0; i < LANES; i++)
		sum += rotate(lanes[i], turns[i]);
	return sum;
}

uint32_t
slv_lz4_sum(const uint8_t *p, size_t n)
{
	uint32_t sum = n >= ROUND ? rounds(p, n) : P5;
	size_t at = n - n % ROUND;

	sum += (uint32_t)n;
	for (; n - at >= 4; at += 4)
		sum = P4 * rotate(sum + P3 * slv_get_le32(p + at), 17);
	for (; at < n; at++)
		sum = P1 * rotate(sum + P5 * p[at], 11);
	sum = P2 * (sum ^ sum >> 15);
	sum = P3 * (sum ^ sum >> 13);
	return sum ^ sum >> 16;
}
