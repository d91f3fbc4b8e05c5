/* mcap_judge.h - corrections before a file is read again. */
#ifndef SLV_FORMATS_MCAP_JUDGE_H
#define SLV_FORMATS_MCAP_JUDGE_H

#include "formats/mcap/mcap_state.h"

/* mcap_twice.c - leave out chunks that equal earlier ones and that no summary names. */
enum slv_status mcap_leave_twice(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* mcap_unnamed.c - leave out messages of damaged chunks that their index does not
 * name. */
enum slv_status mcap_leave_unnamed(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* mcap_stray.c - leave out chunks that an intact summary does not know, and messages with
 * times that no chunk which they can be of has. */
#define MCAP_STRAYS 256
enum slv_status mcap_leave_strays(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* mcap_doubt.c - whether the record of a schema or channel in ->texts has characters that
 * names and definitions never have. */
bool mcap_text_is_odd(const struct mcap *, size_t text, uint64_t len);
/* How many other schemas have types of the package that this record has, for
 * declaration `decl`. */
size_t mcap_package_mates(
    const struct mcap *, size_t decl, size_t text, uint64_t len);
/* Report channels that may have other names and types than were recorded. */
enum slv_status mcap_doubt_declarations(struct slv_scan *, struct slv_err *);

/* mcap_donor.c - take lost declarations from s->opt.donor, if there is one. */
enum slv_status mcap_take(struct slv_scan *, struct slv_err *);

/* mcap_attachment.c - the bits that the checksums of attachments miss. */
enum slv_status mcap_mend_attachments(
    struct slv_scan *, struct slv_mends *, struct slv_err *);
/* mcap_lost_head.c - the heads of chunks that only the summary still states. */
enum slv_status mcap_mend_heads(
    struct slv_scan *, struct slv_mends *, struct slv_err *);
/* mcap_summary_bit.c - the bit of a declaration that the checksum of the summary
 * misses. */
enum slv_status mcap_mend_summary(
    struct slv_scan *, struct slv_mends *, struct slv_err *);
/* mcap_lost.c - count what no reader can use as lost. */
enum slv_status mcap_mark_lost(struct slv_scan *, struct slv_err *);
/* mcap_flip.c - whether n bytes are records that a chunk may hold, from end to end. */
bool mcap_are_records(const uint8_t *, uint64_t n);
/* What comparisons with declarations may cost for all chunks of a file of n bytes. */
#define MCAP_TRIES_MAX(n) (((uint64_t)1 << 20) + 16 * (n))
/* mcap_restored.c - correct what other parts of the file repeat of a chunk that is not
 * compressed, if its checksum matches then.
 *
 *   there   all that it stores
 *   budget  what comparisons may still cost */
enum slv_status mcap_restore_chunk(struct slv_scan *, const struct mcap_chunk *,
    const uint8_t *there, uint64_t *budget, struct slv_mends *,
    struct slv_err *);
/* mcap_flip.c - put the byte that a checksum shows at `at`. */
enum slv_status mcap_mend_byte(
    uint64_t at, uint8_t byte, struct slv_mends *, struct slv_err *);

#endif
