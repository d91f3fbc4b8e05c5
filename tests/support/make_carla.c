/* make_carla.c - logs of CARLA's recorder, for tests that count bytes. */
#include "support/make_carla.h"

#include <string.h>

static void
put(struct blob *b, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		blob_byte(b, (uint8_t)(v >> 8 * i));
}

static void
put_f64(struct blob *b, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	put(b, bits, 8);
}

static void
put_text(struct blob *b, const char *text)
{
	put(b, strlen(text), 2);
	blob_add(b, text, strlen(text));
}

static void
put_head(struct blob *b, uint8_t id, size_t size)
{
	put(b, id, 1);
	put(b, size, 4);
}

/* A list of records, each the id of an actor and len - 4 bytes. */
static void
put_list(struct blob *b, uint8_t id, uint32_t n, size_t len)
{
	put_head(b, id, 2 + n * len);
	put(b, n, 2);
	for (uint32_t i = 0; i < n; i++) {
		put(b, 1 + i, 4);
		for (size_t k = 4; k < len; k++)
			blob_byte(b, (uint8_t)(1 + (i + k) % 250));
	}
}

static void
put_actors(struct blob *b, uint32_t n)
{
	static const char kind[] = "vehicle.a.b";

	put_head(b, 2, 2 + n * (35 + sizeof(kind) - 1 + 2));
	put(b, n, 2);
	for (uint32_t i = 0; i < n; i++) {
		put(b, 1 + i, 4);
		put(b, 1, 1);
		blob_fill(b, 0, 24);
		put(b, 1 + i, 4);
		put_text(b, kind);
		put(b, 0, 2);
	}
}

void
make_carla(struct made_carla *m, const struct carla_recipe *how)
{
	static const uint8_t lens[] = { 28, 10, 21, 8, 8 }; /* of 6 to 10 */
	struct blob *b = &m->bytes;
	double elapsed = 0, span = (double)0.05f;

	*m = (struct made_carla){ .last = 0 };
	put(b, 1, 2);
	put_text(b, "CARLA_RECORDER");
	put(b, 1700000000, 8);
	put_text(b, "Town01");
	for (uint32_t i = 1; i <= how->frames; i++) {
		m->last = b->n;
		put_head(b, 0, 24);
		put(b, i, 8);
		put_f64(b, i == how->frames ? -1 : span);
		put_f64(b, elapsed);
		elapsed += span;
		put_actors(b, i == 1 ? how->actors : 0);
		put_list(b, 3, 0, 4);
		put_list(b, 4, 0, 8);
		put_list(b, 5, 0, 14);
		for (uint8_t id = 6; id <= 10; id++)
			put_list(b, id, how->actors, lens[id - 6]);
		put_head(b, 1, 0);
	}
	m->frame_len = b->n - m->last;
}

void
made_carla_free(struct made_carla *m)
{
	blob_free(&m->bytes);
}
