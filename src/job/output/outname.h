/* outname.h - the name of an output next to its input. */
#ifndef SLV_JOB_OUTNAME_H
#define SLV_JOB_OUTNAME_H

/* "logs/x.bddf" -> "logs/x.repaired.bddf"; a name without an extension gets
 * ".repaired" appended.  Endings of unfinished downloads (.part, .partial,
 * .crdownload) are removed first, and so is .active of x.bag.active.  A
 * numbered x.record.00003 becomes x.repaired.record.00003.  Owned by the
 * caller; NULL: no memory. */
char *slv_outname(const char *input);

/* The same with another word instead of ".repaired", and with another extension
 * unless suffix is NULL. */
char *slv_outname_with(
    const char *input, const char *infix, const char *suffix);

#endif
