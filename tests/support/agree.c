/* agree.c - do the hand-written coder of what every block has and the
 * generated one agree? */
#include "support/agree.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"

/* The additional indexes that the hand-written decoder told. */
struct told {
	int64_t at[JUDGE_EXTRAS];
	uint32_t n;
};

static void
take(void *ctx, uint64_t value)
{
	struct told *told = ctx;

	if (told->n < JUDGE_EXTRAS)
		told->at[told->n] = (int64_t)value;
	told->n++;
}

static bool
same_extras(const struct judged *want, const struct told *got, uint32_t n)
{
	uint32_t kept = n < JUDGE_EXTRAS ? n : JUDGE_EXTRAS;

	return n == want->n_extras && got->n == n
	    && memcmp(got->at, want->extras, kept * sizeof(*got->at)) == 0;
}

const char *
agree_data(const uint8_t *bytes, size_t n, enum bddf_read *read)
{
	const bosdyn_api_DataDescriptor *m;
	struct judged want;
	struct told told = { .n = 0 };
	struct bddf_data got, again;

	*read = bddf_data_get(bytes, n, n, &got, take, &told);
	judge_data(&want, bytes, n);
	m = &want.message;
	if (*read != (want.good ? BDDF_WHOLE : BDDF_BROKEN))
		return "verdict";
	if (bddf_data_get(bytes, n, n, &again, NULL, NULL) != *read
	    || again.n_extra != got.n_extra)
		return "with or without additional indexes";
	if (!want.good)
		return NULL;
	if (got.series != m->series_index)
		return "series";
	if (got.has_time != m->has_timestamp
	    || got.sec != (got.has_time ? m->timestamp.seconds : 0))
		return "seconds";
	if (got.nanos != (want.nanos > INT32_MAX ? -1 : (int32_t)want.nanos))
		return "nanoseconds";
	return same_extras(&want, &told, got.n_extra) ? NULL
	                                              : "additional indexes";
}

const char *
agree_entry(const uint8_t *bytes, size_t n, enum bddf_read *read)
{
	const bosdyn_api_BlockEntry *m;
	struct judged want;
	struct told told = { .n = 0 };
	struct bddf_entry got;
	struct bddf_entry_more more;
	uint32_t nanos;

	*read = bddf_entry_get(bytes, n, &got, &more, take, &told);
	judge_entry(&want, bytes, n);
	m = &want.entry;
	if (*read != (want.good ? BDDF_WHOLE : BDDF_BROKEN))
		return "verdict";
	if (!want.good)
		return NULL;
	if (got.off != m->file_offset)
		return "offset";
	if (got.sec != (m->has_timestamp ? m->timestamp.seconds : 0))
		return "seconds";
	nanos = !m->has_timestamp    ? BDDF_NO_TIME
	    : want.nanos > INT32_MAX ? BDDF_BAD_TIME
	                             : (uint32_t)want.nanos;
	if (got.nanos != nanos || got.extra != 0)
		return "nanoseconds";
	return same_extras(&want, &told, more.n_extra) ? NULL
	                                               : "additional indexes";
}

const char *
agree_beginnings(const uint8_t *bytes, size_t n, enum bddf_read whole)
{
	enum bddf_read last = BDDF_CUT;

	for (size_t have = 0; have < n; have++) {
		uint8_t *part = must_alloc(have);
		struct bddf_data d;
		enum bddf_read r;

		memcpy(part, bytes, have);
		r = bddf_data_get(part, have, n, &d, NULL, NULL);
		free(part);
		if (r == BDDF_WHOLE || (r == BDDF_CUT && last != BDDF_CUT)
		    || (r == BDDF_BROKEN && whole == BDDF_WHOLE))
			return "a beginning";
		last = r;
	}
	return NULL;
}

const char *
agree_entry_put(const struct bddf_entry *e, const int64_t *extras, size_t n)
{
	bosdyn_api_BlockEntry message = {
		.has_timestamp = e->nanos != BDDF_NO_TIME,
		.timestamp = { e->sec, (int32_t)e->nanos },
		.file_offset = e->off,
	};
	struct bddf_entry from = *e;
	size_t room = 64 + 10 * n, want, size, head;
	uint8_t *mine = must_alloc(room), *theirs = must_alloc(room);
	struct bddf_pool pool = { 0 };
	const char *differ = NULL;
	enum bddf_read read;

	/* As a scan keeps them: the number of them, then themselves. */
	bddf_pool_push(&pool, (int64_t)n);
	for (size_t i = 0; i < n; i++)
		bddf_pool_push(&pool, extras[i]);
	from.extra = n > 0;
	want = judge_entry_put(&message, extras, n, theirs, room);
	size = bddf_entry_size(&from, e->off, &pool, n);
	if (want == 0 || size != want)
		differ = "size";
	else if (bddf_entry_put(mine, &from, e->off, &pool, n) != mine + size)
		differ = "size announced";
	else if (memcmp(mine, theirs, size) != 0)
		differ = "bytes";
	for (head = 1; differ == NULL && mine[head] >= 0x80;)
		head++;
	if (differ == NULL)
		differ = agree_entry(mine + head + 1, size - head - 1, &read);
	bddf_pool_free(&pool);
	free(mine);
	free(theirs);
	return differ;
}

static void
put_varint(struct blob *b, struct dice *dice)
{
	uint64_t v = dice_roll(dice) >> dice_below(dice, 64);
	uint64_t more = dice_below(dice, 40) == 0 ? dice_below(dice, 4) : 0;

	for (; v >= 0x80; v >>= 7)
		blob_byte(b, (uint8_t)(v | 0x80));
	/* A number may be longer than it need be. */
	for (; more > 0; more--, v = 0)
		blob_byte(b, (uint8_t)(v | 0x80));
	blob_byte(b, (uint8_t)v);
}

static void
put_counted(struct blob *b, unsigned tag, struct blob *inner)
{
	blob_byte(b, (uint8_t)(tag << 3 | 2));
	if (inner->n >= 0x80)
		blob_byte(b, (uint8_t)(inner->n | 0x80));
	blob_byte(b, (uint8_t)(inner->n >> (inner->n >= 0x80 ? 7 : 0)));
	blob_add(b, inner->at, inner->n);
	blob_free(inner);
}

/* A field as a writer of any version might put it. */
static void
put_field(struct blob *b, struct dice *dice, unsigned time_tag)
{
	struct blob inner = { 0 };
	uint64_t n = dice_below(dice, 4);

	switch (dice_below(dice, 7)) {
	case 0:
		blob_byte(b, (uint8_t)((3 - time_tag) << 3));
		put_varint(b, dice);
		break;
	case 1:
		for (; n > 0; n--) {
			blob_byte(
			    &inner, (uint8_t)((dice_below(dice, 3) + 1) << 3));
			put_varint(&inner, dice);
		}
		put_counted(b, time_tag, &inner);
		break;
	case 2:
		for (; n > 0; n--)
			put_varint(&inner, dice);
		put_counted(b, 3, &inner);
		break;
	case 3:
		blob_byte(b, 3 << 3);
		put_varint(b, dice);
		break;
	case 4:
		blob_fill(&inner, 0xab, n);
		put_counted(b, 5, &inner);
		break;
	case 5:
		blob_byte(b, n & 1 ? 4 << 3 | 1 : 4 << 3 | 5);
		blob_fill(b, 7, n & 1 ? 8 : 4);
		break;
	case 6: /* what no writer puts: groups, any field, any wire type */
		if (dice_below(dice, 8) > 0)
			break;
		blob_byte(b, (uint8_t)dice_roll(dice));
		put_varint(b, dice);
		break;
	}
}

void
agree_random(struct blob *b, struct dice *dice, unsigned time_tag)
{
	b->n = 0;
	for (uint64_t n = dice_below(dice, 6); n > 0; n--)
		put_field(b, dice, time_tag);
}
