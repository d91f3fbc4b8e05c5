/* properties.c - what must hold for every repair, whatever the damage. */
#include "properties/properties.h"

#include <stdlib.h>
#include <string.h>

#include "core/catalog/catalog.h"
#include "support/check.h"

struct subject *subjects;
size_t n_subjects;

void
units_add(struct units *u, struct unit unit)
{
	if (u->n == u->cap) {
		u->cap = u->cap * 2 + 16;
		u->at = realloc(u->at, u->cap * sizeof(*u->at));
		if (u->at == NULL)
			abort();
	}
	u->at[u->n++] = unit;
}

void
units_free(struct units *u)
{
	free(u->at);
	*u = (struct units){ 0 };
}

bool
is_long(void)
{
	const char *set = getenv("SALVOR_LONG");

	return set != NULL && *set != '\0';
}

size_t
records_before(const struct subject *s, size_t off)
{
	return records_outside(s, off, SIZE_MAX);
}

size_t
records_outside(const struct subject *s, size_t off, size_t end)
{
	size_t n = 0;

	for (size_t i = 0; i < s->units.n; i++) {
		const struct unit *u = &s->units.at[i];

		n += u->kind == UNIT_RECORD && (u->end <= off || u->off >= end);
	}
	return n;
}

size_t
recorded_end(const struct subject *s)
{
	size_t end = 0;

	for (size_t i = 0; i < s->units.n; i++) {
		if (s->units.at[i].kind != UNIT_DERIVED)
			end = s->units.at[i].end;
	}
	return end;
}

/* P1, P2: extents tile the input and the sums add up. */
static void
check_books(const struct blob *in, const struct repaired *r)
{
	const struct slv_extent *x = (const void *)r->catalog.at;
	size_t n = r->catalog.n / sizeof(*x);
	uint64_t at = 0, sums[SLV_FATES] = { 0 };

	for (size_t i = 0; i < n; i++) {
		CHECK(x[i].off == at && x[i].len > 0);
		at += x[i].len;
		sums[x[i].fate] += x[i].len;
	}
	CHECK_U64(at, in->n);
	for (int f = 0; f < SLV_FATES; f++)
		CHECK_U64(r->sums[f], sums[f]);
}

/* The state is what the books say. */
static void
check_state(const struct blob *in, const struct repaired *r)
{
	uint64_t gone = r->sums[SLV_LOST] + r->sums[SLV_FOREIGN];

	CHECK(!r->planned || r->verified);
	switch (r->state) {
	case SLV_STATE_INTACT:
		CHECK_U64(r->damage, 0);
		CHECK_U64(r->sums[SLV_KEPT], in->n);
		CHECK_BYTES(r->out.at, r->out.n, in->at, in->n);
		break;
	case SLV_STATE_REPAIRED:
		CHECK(r->damage > 0 && gone == 0 && !r->contradicted
		    && !r->unsure);
		break;
	case SLV_STATE_LOSSY:
		CHECK(r->damage > 0
		    && (gone > 0 || r->contradicted || r->unsure));
		break;
	case SLV_STATE_DAMAGED:
	case SLV_STATE_UNRECOVERABLE:
	case SLV_STATE_UNRECOGNISED:
	case SLV_STATE_UNSUPPORTED: CHECK(r->damage > 0 && !r->planned); break;
	case SLV_STATE_INDEXED:
	case SLV_STATE_ACTIVE:
	case SLV_STATE_CANCELLED:
	case SLV_STATE_FAILED:
		CHECK_NAME(slv_state_name, r->state, SLV_STATE_INTACT);
	}
}

/* P3: a second repair finds nothing to do. */
static void
check_again(const struct repaired *r)
{
	struct repaired again = { 0 };

	repair_memory(&again, r->out.at, r->out.n, 0);
	CHECK_OK(again.status, &again.err);
	if (!CHECK_NAME(slv_state_name, again.state, SLV_STATE_INTACT))
		CHECK_STR((const char *)again.words.at, "");
	CHECK_BYTES(again.out.at, again.out.n, r->out.at, r->out.n);
	repaired_free(&again);
}

static bool
is_record(const struct subject *s, const struct unit *truth,
    const uint8_t *bytes, size_t n)
{
	return truth->kind == UNIT_RECORD && truth->end - truth->off == n
	    && memcmp(s->bytes.at + truth->off, bytes, n) == 0;
}

/* Whether these are a record's bytes as they are in the input, or with its head
 * put back. */
static bool
is_of(const struct subject *s, const struct blob *in, const struct unit *u,
    const uint8_t *bytes)
{
	size_t n = u->end - u->off, head = u->payload - u->off;

	return memcmp(in->at + u->off, bytes, n) == 0
	    || (memcmp(s->bytes.at + u->off, bytes, head) == 0
	        && memcmp(in->at + u->payload, bytes + head, n - head) == 0);
}

/* A record that damage [off, end) has touched but not moved. */
static const struct unit *
find_touched(const struct subject *s, const struct blob *in,
    const uint8_t *bytes, size_t n, size_t off, size_t end)
{
	for (size_t i = 0; i < s->units.n; i++) {
		const struct unit *u = &s->units.at[i];

		if (u->kind == UNIT_RECORD && u->end - u->off == n
		    && u->end <= in->n && off < u->end && u->off < end
		    && is_of(s, in, u, bytes))
			return u;
	}
	return NULL;
}

/* Whether the bytes stand in the input, with the damage among them. */
static bool
stands_around(const struct blob *in, const uint8_t *bytes, size_t n, size_t off,
    size_t end)
{
	const uint8_t *at = in->at, *stop = in->at + in->n;

	while ((at = memmem(at, (size_t)(stop - at), bytes, n)) != NULL) {
		size_t from = (size_t)(at - in->at);

		if (from <= end && off < from + n)
			return true;
		at++;
	}
	return false;
}

size_t
tally_wrong(const struct tally *t)
{
	return t->altered + t->misread + t->swollen;
}

/* P5: nothing is invented. */
static struct tally
check_records(const struct subject *s, const struct blob *in,
    const struct repaired *r, const struct units *got, size_t off, size_t end)
{
	struct tally t = { 0 };
	size_t next = 0;

	for (size_t i = 0; i < got->n; i++) {
		const uint8_t *bytes = r->out.at + got->at[i].off;
		size_t n = got->at[i].end - got->at[i].off, k = next;
		const struct unit *touched;

		if (got->at[i].kind != UNIT_RECORD)
			continue;
		while (
		    k < s->units.n && !is_record(s, &s->units.at[k], bytes, n))
			k++;
		if (k < s->units.n) {
			next = k + 1;
			t.exact++;
			continue;
		}
		touched = find_touched(s, in, bytes, n, off, end);
		if (touched == NULL) {
			CHECK(stands_around(in, bytes, n, off, end));
			t.swollen++;
			continue;
		}
		next = (size_t)(touched - s->units.at) + 1;
		if (off >= touched->payload)
			t.altered++;
		else
			t.misread++;
	}
	return t;
}

struct tally
check_repair(const struct subject *s, const struct blob *in,
    const struct repaired *r, size_t off, size_t end)
{
	struct tally t = { 0 };
	struct units got = { 0 };

	if (!CHECK_OK(r->status, &r->err))
		return t;
	check_books(in, r);
	check_state(in, r);
	if (!r->planned)
		return t;
	if (CHECK(s->list(s, r->out.at, r->out.n, &got)))
		t = check_records(s, in, r, &got, off, end);
	units_free(&got);
	/* What a digest confirms is the original. */
	if (r->assurance == SLV_BY_DIGEST)
		CHECK_BYTES(r->out.at, r->out.n, s->bytes.at, s->bytes.n);
	if (r->state != SLV_STATE_INTACT)
		check_again(r);
	return t;
}

static CU_SuiteInfo suites[] = {
	{ .pName = "cut", .pTests = cut_tests },
	{ .pName = "tail", .pTests = tail_tests },
	{ .pName = "flip", .pTests = flip_tests },
	{ .pName = "window", .pTests = window_tests },
	{ .pName = "splice", .pTests = splice_tests },
	{ .pName = "merge", .pTests = merge_tests },
	CU_SUITE_INFO_NULL,
};

int
properties_main(struct subject *s, size_t n)
{
	subjects = s;
	n_subjects = n;
	return slv_test_main(suites);
}
