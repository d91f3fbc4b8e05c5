/* make_carla.h - logs of CARLA's recorder, for tests that count bytes.
 *
 * Written after the facts in docs/formats/carla.md; shares nothing with
 * src/formats/carla.  Logs of every other kind: tests/support/carla_writer.py.
 */
#ifndef TESTS_SUPPORT_MAKE_CARLA_H
#define TESTS_SUPPORT_MAKE_CARLA_H

#include "support/blob.h"

struct carla_recipe {
	uint32_t frames; /* of 50 ms, except for the last, which has no end */
	uint32_t actors; /* all there from the first frame on */
};

struct made_carla {
	struct blob bytes;  /* owned */
	uint64_t last;      /* where the last frame begins */
	uint64_t frame_len; /* of all but the first */
};

void make_carla(struct made_carla *, const struct carla_recipe *);

void made_carla_free(struct made_carla *);

#endif
