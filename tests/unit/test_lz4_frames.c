/* test_lz4_frames.c - several LZ4 frames in a row. */
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/damage.h"
#include "support/decoded.h"
#include "support/pack.h"
#include "unit/suites.h"

#define SMALL ((size_t)3000)
#define MOST  ((size_t)1 << 20)

/* Three frames, of which one is empty, and what they become. */
struct frames {
	struct blob truth, packed;
	size_t first; /* where the first one ends */
};

static void
drop(struct frames *f)
{
	blob_free(&f->truth);
	blob_free(&f->packed);
}

static void
make_frames(struct frames *f, bool sum)
{
	struct pack_lz4 how = { .flush = 700, .no_sum = !sum };

	*f = (struct frames){ 0 };
	pack_truth(&f->truth, SMALL, 8);
	pack_lz4(&f->packed, f->truth.at, SMALL, how);
	f->first = f->packed.n;
	pack_lz4(&f->packed, NULL, 0, how);
	pack_truth(&f->truth, SMALL, 9);
	pack_lz4(&f->packed, f->truth.at + SMALL, SMALL, how);
}

/* Several frames in a row are one stream, if the caller says so. */
static void
takes_frames_in_a_row(void)
{
	struct frames f;
	struct blob cut = { 0 };
	struct slv_decode d;
	size_t first;

	make_frames(&f, true);
	first = f.first;
	if (decoded(SLV_CODEC_LZ4, &f.packed, 0, MOST, &d)) {
		CHECK_U64(d.used, first);
		CHECK_U64(d.out.len, SMALL);
		slv_decode_free(&d);
	}
	for (size_t n = 0; n <= f.packed.n && !check_enough(); n++) {
		bool header = (n >= first && n < first + 4)
		    || (n >= first + 15 && n < first + 15 + 4);

		check_case("%zu bytes", n);
		damage_cut(&cut, f.packed.at, f.packed.n, n);
		if (!decoded(SLV_CODEC_LZ4_FRAMES, &cut, 2 * SMALL, MOST, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how,
		    header || n == f.packed.n ? SLV_DECODED_WHOLE
		                              : SLV_DECODED_CUT);
		CHECK(d.out.len >= (n >= first ? SMALL : 0));
		check_beginning(&d, &f.truth);
		CHECK(d.how != SLV_DECODED_WHOLE || d.pieces->proven);
		slv_decode_free(&d);
	}
	blob_free(&cut);
	drop(&f);
}

/* Damage to one frame leaves the other as it is: what is missed is no more than
 * the damaged one. */
static void
keeps_frames_apart(void)
{
	struct frames f;
	struct blob bad = { 0 };

	make_frames(&f, true);
	for (size_t at = 8; at + 40 < f.packed.n && !check_enough(); at += 3) {
		struct slv_decode d;
		size_t kept = 0;

		/* The header of the second frame is needed to find it. */
		if (at < f.first + 40 && at + 50 > f.first)
			continue;
		check_case("byte %zu", at);
		damage_overwrite(&bad, f.packed.at, f.packed.n, at, 10,
		    at % 2 ? WINDOW_RANDOM : WINDOW_FF, at);
		if (!decoded(SLV_CODEC_LZ4_FRAMES, &bad, 2 * SMALL, MOST, &d))
			continue;
		CHECK(d.how != SLV_DECODED_WHOLE);
		for (size_t i = 0; i < d.n_pieces; i++) {
			const struct slv_decoded_piece *p = &d.pieces[i];
			bool same = p->at_known && p->at + p->firm <= f.truth.n
			    && memcmp(d.out.at + p->out, f.truth.at + p->at,
			           p->firm)
			        == 0;

			CHECK(!p->proven || same);
			kept += same ? p->firm : 0;
		}
		CHECK(kept >= SMALL);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&f);
}

CU_TestInfo lz4_frames_tests[] = {
	{ "takes frames in a row", takes_frames_in_a_row },
	{ "keeps frames apart", keeps_frames_apart },
	CU_TEST_INFO_NULL,
};
