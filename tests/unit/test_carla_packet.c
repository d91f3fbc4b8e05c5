/* test_carla_packet.c - how long packets of a CARLA log must be. */
#include "suites.h"

#include <string.h>

#include "formats/carla/carla_state.h"
#include "support/blob.h"
#include "support/check.h"

/* A scan that looks at nothing but a packet. */
struct look {
	struct blob bytes;
	struct slv_source *source;
	struct slv_scan scan;
	struct slv_window window;
	struct carla state;
	struct slv_err err;
};

static void
number(struct blob *b, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		blob_byte(b, (uint8_t)(v >> 8 * i));
}

static void
text(struct blob *b, const char *t)
{
	number(b, strlen(t), 2);
	blob_add(b, t, strlen(t));
}

static void
open_look(struct look *l)
{
	CHECK_OK(
	    slv_source_memory(l->bytes.at, l->bytes.n, &l->source, &l->err),
	    &l->err);
	l->scan = (struct slv_scan){ .source = l->source,
		.window = &l->window,
		.state = &l->state,
		.logical_end = l->bytes.n };
	slv_window_init(&l->window, l->source, NULL);
}

static void
close_look(struct look *l)
{
	slv_window_free(&l->window);
	slv_source_close(l->source);
	blob_free(&l->bytes);
}

/* Whether the bytes are the body of a packet with this size. */
static bool
fits_as(struct look *l, uint8_t id, uint32_t size, enum carla_vectors v,
    struct carla_packet *p)
{
	bool yes = false;

	*p = (struct carla_packet){ .id = id, .size = size };
	CHECK_OK(carla_packet_fit(&l->scan, p, v, l->bytes.n, &yes, &l->err),
	    &l->err);
	return yes;
}

/* Whether a body without a size has this one in one of its forms. */
static bool
is_measured(struct look *l, uint8_t id, enum carla_vectors v, uint32_t size)
{
	bool yes = false, any = false;

	for (unsigned form = 0; form <= CARLA_FORMS; form++) {
		struct carla_packet p = { .id = id };

		CHECK_OK(carla_packet_measure(
		             &l->scan, &p, v, form, l->bytes.n, &yes, &l->err),
		    &l->err);
		any |= yes && p.size == size;
	}
	CHECK(!yes);
	return any;
}

/* The body, which has n records, fits its own size and no other; where its size
 * was never written it is measured. */
static void
check_body(struct look *l, uint8_t id, enum carla_vectors v, uint32_t n)
{
	uint32_t size = (uint32_t)l->bytes.n;
	struct carla_packet p;

	check_case("packet %u, %u records, vectors %d", id, n, (int)v);
	blob_fill(&l->bytes, 0, 2); /* what follows */
	open_look(l);
	if (CHECK(fits_as(l, id, size, v, &p))) {
		CHECK_U64(p.n, n);
		CHECK_U64(p.len, size);
	}
	CHECK(!fits_as(l, id, size + 1, v, &p));
	CHECK(!fits_as(l, id, size - 1, v, &p));
	CHECK(!fits_as(l, id, 0, v, &p));
	CHECK(!fits_as(l, id, UINT32_MAX, v, &p));
	CHECK(is_measured(l, id, v, size));
	close_look(l);
}

/* A list of n records of len bytes, each about another actor. */
static void
list(struct look *l, uint32_t n, size_t len)
{
	*l = (struct look){ .bytes = { 0 } };
	number(&l->bytes, n, 2);
	for (uint32_t i = 0; i < n; i++) {
		number(&l->bytes, 7 + i, 4);
		blob_fill(&l->bytes, 1, len - 4);
	}
}

static void
lists_of_records(void)
{
	static const struct {
		uint8_t id;
		enum carla_vectors v;
		size_t len;
	} rows[] = {
		{ 3, CARLA_F32, 4 },
		{ 4, CARLA_F32, 8 },
		{ 5, CARLA_F32, 14 },
		{ 6, CARLA_F32, 28 },
		{ 6, CARLA_F64, 52 },
		{ 6, CARLA_MIXED, 52 },
		{ 7, CARLA_F32, 10 },
		{ 8, CARLA_F32, 21 },
		{ 9, CARLA_F32, 8 },
		{ 10, CARLA_F32, 8 },
		{ 11, CARLA_F32, 26 },
		{ 12, CARLA_F32, 28 },
		{ 12, CARLA_F64, 52 },
		{ 13, CARLA_F64, 52 },
		{ 16, CARLA_F32, 16 },
		{ 17, CARLA_F32, 28 },
	};
	struct look l;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (uint32_t n = 0; n < 4; n++) {
			list(&l, n, rows[i].len);
			check_body(&l, rows[i].id, rows[i].v, n);
		}
	}
	list(&l, UINT16_MAX, 28);
	check_body(&l, 6, CARLA_F32, UINT16_MAX);
}

/* Where vectors are of two kinds a size counts what is not there. */
static void
sizes_that_lie(void)
{
	struct carla_packet p;
	struct look l;

	list(&l, 3, 28);
	open_look(&l);
	CHECK(fits_as(&l, 13, 2 + 3 * 52, CARLA_MIXED, &p));
	CHECK_U64(p.len, 2 + 3 * 28);
	CHECK(!fits_as(&l, 13, 2 + 3 * 28, CARLA_MIXED, &p));
	close_look(&l);
}

/* Whether a list still fits with n zeros over it from record 10 on. */
static bool
fits_blanked(uint8_t id, size_t len, size_t n)
{
	struct carla_packet p;
	struct look l;
	bool yes;

	list(&l, 40, len);
	memset(l.bytes.at + 2 + 10 * len, 0, n);
	open_look(&l);
	yes = fits_as(&l, id, (uint32_t)l.bytes.n, CARLA_F32, &p);
	close_look(&l);
	return yes;
}

/* Zeros over records make them of one actor; others may be of the same twice,
 * but not of nothing. */
static void
records_of_zeros(void)
{
	static const struct {
		uint8_t id;
		size_t len, zeros; /* that can be seen */
	} rows[] = {
		{ 4, 8, 16 },
		{ 5, 14, 28 },
		{ 6, 28, 32 },
		{ 9, 8, 12 },
		{ 11, 26, 52 },
		{ 22, 12, 24 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check_case("packet %u", rows[i].id);
		CHECK(fits_blanked(rows[i].id, rows[i].len, 0));
		CHECK(fits_blanked(rows[i].id, rows[i].len, rows[i].len));
		CHECK(!fits_blanked(rows[i].id, rows[i].len, rows[i].zeros));
	}
	/* A light that is switched and coloured at once. */
	CHECK(fits_blanked(11, 26, 26 + 4));
}

static void
actors(void)
{
	for (uint32_t n = 0; n < 3; n++) {
		for (size_t vec = 12; vec <= 24; vec += 12) {
			struct look l = { .bytes = { 0 } };

			number(&l.bytes, n, 2);
			for (uint32_t i = 0; i < n; i++) {
				number(&l.bytes, 7 + i, 4);
				blob_byte(&l.bytes, 1);
				blob_fill(&l.bytes, 0, 2 * vec + 4);
				text(&l.bytes, "vehicle.a.b");
				number(&l.bytes, i, 2);
				for (uint32_t k = 0; k < i; k++) {
					blob_byte(&l.bytes, 3);
					text(&l.bytes, "role_name");
					text(&l.bytes, "hero");
				}
			}
			check_body(&l, 2, vec == 12 ? CARLA_F32 : CARLA_F64, n);
		}
	}
}

static void
bones(void)
{
	struct look l = { .bytes = { 0 } };

	number(&l.bytes, 2, 2);
	for (uint32_t i = 0; i < 2; i++) {
		number(&l.bytes, 7 + i, 4);
		number(&l.bytes, 3, 2);
		for (uint32_t k = 0; k < 3; k++) {
			text(&l.bytes, "crl_hips__C");
			blob_fill(&l.bytes, 0, 24);
		}
	}
	check_body(&l, 19, CARLA_F32, 2);
}

/* The parts of a vehicle as versions wrote them: bytes of fixed length, then
 * arrays, of which the last is of wheels. */
static const struct vehicle {
	size_t fixed, n_arrays, lens[5];
} vehicles[] = {
	{ 53, 4, { 8, 12, 8, 36 } },
	{ 53, 4, { 8, 12, 8, 48 } },
	{ 111, 5, { 8, 4, 4, 8, 208 } },
};

/* So many vehicles.  Returns where the count of the last one's wheels is. */
static size_t
put_vehicles(struct look *l, const struct vehicle *v, uint32_t n)
{
	size_t at = 0;

	*l = (struct look){ .bytes = { 0 } };
	number(&l->bytes, n, 2);
	for (uint32_t i = 0; i < n; i++) {
		number(&l->bytes, 7 + i, 4);
		blob_fill(&l->bytes, 1, v->fixed - 4);
		for (size_t k = 0; k < v->n_arrays; k++) {
			at = l->bytes.n;
			number(&l->bytes, 4 - k % 2, 4);
			blob_fill(&l->bytes, 1, (4 - k % 2) * v->lens[k]);
		}
	}
	return at;
}

/* Vehicles of three forms, whatever vectors are; only the size tells which. */
static void
physics(void)
{
	for (size_t i = 0; i < 3 * 3; i++) {
		enum carla_vectors v = (enum carla_vectors)(1 << i % 3);
		struct carla_packet p;
		struct look l;
		size_t wheels = put_vehicles(&l, &vehicles[i / 3], 2);
		uint32_t size = (uint32_t)l.bytes.n;

		check_case("form %zu, vectors %d", i / 3, (int)v);
		blob_fill(&l.bytes, 0, 400);
		open_look(&l);
		if (CHECK(fits_as(&l, 15, size, v, &p)))
			CHECK_U64(p.n, 2);
		CHECK(!fits_as(&l, 15, size - 1, v, &p));
		CHECK(!fits_as(&l, 15, size + 1, v, &p));
		CHECK(!fits_as(&l, 15, 0, v, &p));
		CHECK(is_measured(&l, 15, v, size));
		close_look(&l);

		(void)put_vehicles(&l, &vehicles[i / 3], 2);
		l.bytes.at[wheels]++;
		open_look(&l);
		CHECK(!fits_as(&l, 15, size, v, &p));
		close_look(&l);
	}
}

/* One wheel of zeros: they were written over it. */
static void
physics_of_zeros(void)
{
	struct carla_packet p;
	struct look l;
	size_t wheels = put_vehicles(&l, &vehicles[2], 1);

	memset(l.bytes.at + wheels + 4 + 208, 0, 207);
	open_look(&l);
	CHECK(fits_as(&l, 15, (uint32_t)l.bytes.n, CARLA_F64, &p));
	close_look(&l);

	(void)put_vehicles(&l, &vehicles[2], 1);
	memset(l.bytes.at + wheels + 4 + 208, 0, 208);
	open_look(&l);
	CHECK(!fits_as(&l, 15, (uint32_t)l.bytes.n, CARLA_F64, &p));
	close_look(&l);
}

/* Which of 21 to 24 it is, its size tells. */
static void
varying(void)
{
	static const struct {
		size_t len;
		uint8_t is;
	} rows[] = { { 6, CARLA_DOOR }, { 12, CARLA_BIKER },
		{ 56, CARLA_WEATHER } };
	struct look l;
	struct carla_packet p;

	for (size_t i = 0; i < 3; i++) {
		list(&l, 2, rows[i].len);
		check_body(&l, 22, CARLA_F32, 2);
		list(&l, 2, rows[i].len);
		open_look(&l);
		CHECK(fits_as(&l, 22, (uint32_t)l.bytes.n, CARLA_F32, &p));
		CHECK_U64(p.variants, rows[i].is);
		close_look(&l);
	}
	l = (struct look){ .bytes = { 0 } };
	number(&l.bytes, 1, 2);
	number(&l.bytes, 7, 4);
	number(&l.bytes, 4, 4);
	blob_fill(&l.bytes, 0, 36);
	open_look(&l);
	CHECK(fits_as(&l, 21, (uint32_t)l.bytes.n, CARLA_F32, &p));
	CHECK_U64(p.variants, CARLA_WHEELS);
	close_look(&l);
}

/* Counts that promise more than there can be lead nowhere. */
static void
counts_of_nonsense(void)
{
	static const uint8_t ids[] = { 2, 6, 15, 19, 21 };

	for (size_t i = 0; i < sizeof(ids); i++) {
		struct look l = { .bytes = { 0 } };
		struct carla_packet p;
		bool yes;

		blob_fill(&l.bytes, 0xff, 4000);
		open_look(&l);
		check_case("packet %u", ids[i]);
		CHECK(!fits_as(&l, ids[i], 4000, CARLA_F32, &p));
		CHECK(!fits_as(&l, ids[i], UINT32_MAX, CARLA_F64, &p));
		p = (struct carla_packet){ .id = ids[i] };
		CHECK_OK(carla_packet_measure(
		             &l.scan, &p, CARLA_F32, 0, 4000, &yes, &l.err),
		    &l.err);
		CHECK(!yes);
		close_look(&l);
	}
}

/* By the others it is known what one of 21 to 24 stands for. */
static void
versions(void)
{
	uint8_t any[4] = { CARLA_ANY_VARIANT, CARLA_ANY_VARIANT,
		CARLA_ANY_VARIANT, CARLA_ANY_VARIANT };
	uint8_t set[4];

	memcpy(set, any, 4);
	set[2] = CARLA_BIKER;
	carla_packet_versions(set);
	CHECK_U64(set[0], CARLA_DOOR);
	CHECK_U64(set[1], CARLA_WHEELS);
	memcpy(set, any, 4);
	set[3] = CARLA_WEATHER;
	carla_packet_versions(set);
	CHECK_U64(set[0], CARLA_WHEELS);
	CHECK_U64(set[2], CARLA_DOOR);
	/* No version had this. */
	memcpy(set, any, 4);
	set[0] = CARLA_WEATHER;
	carla_packet_versions(set);
	CHECK_U64(set[0], CARLA_WEATHER);
	CHECK_U64(set[1], CARLA_ANY_VARIANT);
}

/* Whether so many bytes are filled by the records of the list there. */
static bool
counts(const struct look *of, uint8_t id, uint32_t size, struct carla_packet *p)
{
	struct look l = { .bytes = { 0 } };
	bool yes = false;

	blob_set(&l.bytes, of->bytes.at, of->bytes.n);
	open_look(&l);
	*p = (struct carla_packet){ .id = id, .size = size };
	CHECK_OK(
	    carla_packet_count(&l.scan, p, CARLA_F32, l.bytes.n, &yes, &l.err),
	    &l.err);
	close_look(&l);
	return yes;
}

/* How many records fill the size, where the count is wrong. */
static void
counted(void)
{
	uint32_t size = 2 + 5 * 28;
	struct carla_packet p;
	struct look l;

	list(&l, 5, 28);
	memset(l.bytes.at, 0, 2);
	CHECK(counts(&l, 6, size, &p));
	CHECK_U64(p.n, 5);
	CHECK_U64(p.len, size);
	CHECK(!counts(&l, 6, size - 1, &p));
	CHECK(!counts(&l, 6, size + 28, &p));
	CHECK(!counts(&l, 6, 1, &p));
	CHECK(!counts(&l, 6, UINT32_MAX, &p));
	CHECK(!counts(&l, 2, size, &p));
	CHECK(!counts(&l, 200, size, &p));
	CHECK(counts(&l, 3, 2, &p));
	/* Zeros over two records ... */
	memset(l.bytes.at + 2 + 28, 0, 56);
	CHECK(!counts(&l, 6, size, &p));
	/* ... and from the count on over one. */
	blob_free(&l.bytes);
	list(&l, 5, 28);
	memset(l.bytes.at, 0, 6);
	CHECK(!counts(&l, 6, size, &p));
	CHECK(!counts(&l, 3, size, &p));
	blob_free(&l.bytes);
}

CU_TestInfo carla_packet_tests[] = {
	{ "lists of records", lists_of_records },
	{ "sizes that lie", sizes_that_lie },
	{ "records of zeros", records_of_zeros },
	{ "EventAdd", actors },
	{ "WalkerBones", bones },
	{ "PhysicsControl", physics },
	{ "PhysicsControl of zeros", physics_of_zeros },
	{ "21 to 24", varying },
	{ "counts of nonsense", counts_of_nonsense },
	{ "versions", versions },
	{ "records counted by the size", counted },
	CU_TEST_INFO_NULL,
};
