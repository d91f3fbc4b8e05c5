/* windows.c - stretches of a log overwritten. */
#include <stdio.h>

#include "properties/properties.h"
#include "support/check.h"
#include "support/damage.h"

/* Tracked, may fall but not rise: of so many windows one may make a record
 * end where by chance another one does. */
#define SWOLLEN_OF 500

struct toll {
	size_t cases;
	size_t more;  /* records lost that were not touched, in all */
	size_t worst; /* of one window */
	size_t altered, misread, swollen, nothing;
};

/* Whether what explains records was hit: they may then be lost with it. */
static bool
hits_explanation(const struct subject *s, size_t off, size_t end)
{
	for (size_t i = 0; i < s->units.n; i++) {
		const struct unit *u = &s->units.at[i];

		if (u->kind == UNIT_EXPLAINS && u->off < end && off < u->end)
			return true;
	}
	return false;
}

static void
check_window(const struct subject *s, size_t off, size_t len,
    enum damage_window kind, struct toll *toll)
{
	static const char *const kinds[] = { "zeros", "0xff", "random" };
	size_t whole = records_outside(s, off, off + len), lost;
	struct repaired r = { 0 };
	struct blob in = { 0 };
	struct tally t;

	check_case("%s [%zu, %zu) overwritten with %s", s->name, off, off + len,
	    kinds[kind]);
	damage_overwrite(
	    &in, s->bytes.at, s->bytes.n, off, len, kind, off * 64 + len);
	repair_memory(&r, in.at, in.n, REPAIR_RESEAL);
	t = check_repair(s, &in, &r, off, off + len);
	toll->cases++;
	if (r.planned) {
		/* The one before it, because nothing vouches for it. */
		lost = whole > t.exact ? whole - t.exact : 0;
		CHECK(lost <= 1 || t.swollen > 0
		    || hits_explanation(s, off, off + len));
		toll->more += lost;
		if (lost > toll->worst)
			toll->worst = lost;
		toll->altered += t.altered;
		toll->misread += t.misread;
		toll->swollen += t.swollen;
	} else {
		CHECK(off < s->units.at[0].end);
		toll->nothing++;
	}
	repaired_free(&r);
	blob_free(&in);
}

static void
windows(void)
{
	static const size_t some[] = { 1, 4, 12, 64 };
	size_t step = is_long() ? 1 : 5;

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		struct toll toll = { 0 };

		if (!s->small || s->nested)
			continue;
		for (size_t k = 0; k < (is_long() ? 64 : 4); k++) {
			size_t len = is_long() ? k + 1 : some[k];

			for (size_t off = k % step;
			     off < s->bytes.n && !check_enough(); off += step)
				check_window(s, off, len,
				    (enum damage_window)(off % WINDOW_KINDS),
				    &toll);
		}
		CHECK(toll.swollen * SWOLLEN_OF <= toll.cases);
		printf("\n    %s: %zu windows lost %zu untouched records, at "
		       "worst %zu; altered %zu, misread %zu, swollen %zu; %zu "
		       "without output ",
		    s->name, toll.cases, toll.more, toll.worst, toll.altered,
		    toll.misread, toll.swollen, toll.nothing);
	}
	check_case("%s", "");
}

static void
windows_of_big_logs(void)
{
	size_t times = is_long() ? 5000 : 60;
	struct dice dice = { 13 };

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		struct toll toll = { 0 };

		for (size_t k = 0; !s->small && k < times && !check_enough();
		     k++) {
			size_t off = dice_below(&dice, s->bytes.n);

			check_window(s, off, 1 + dice_below(&dice, 4096),
			    (enum damage_window)(k % WINDOW_KINDS), &toll);
		}
	}
	check_case("%s", "");
}

CU_TestInfo window_tests[] = {
	{ "windows", windows },
	{ "windows of big logs", windows_of_big_logs },
	CU_TEST_INFO_NULL,
};
