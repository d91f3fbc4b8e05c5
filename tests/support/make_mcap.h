/* make_mcap.h - what is left of an MCAP recording that was not closed. */
#ifndef TESTS_SUPPORT_MAKE_MCAP_H
#define TESTS_SUPPORT_MAKE_MCAP_H

#include "support/blob.h"

/* A header and `chunks` chunks of ten messages each, not compressed, with their indexes;
 * the first chunk declares the only channel. */
void make_mcap(struct blob *out, size_t chunks);

#endif
