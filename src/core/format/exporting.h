/* exporting.h - records as readers of other formats understand them.
 *
 * What a format has of its own, such as plain numbers without a description, is
 * described and encoded again for an export.  This needs nothing but channels
 * and records, as struct slv_records gives them.
 */
#ifndef SLV_CORE_EXPORTING_H
#define SLV_CORE_EXPORTING_H

#include "base/bytes.h"
#include "salvor_read.h"

/* What the caller of an export adds. */
struct slv_export_help {
	/* A FileDescriptorSet, from outside; empty: none. */
	struct slv_span descriptors;

	/* Payloads stay as they are: describe messages only. */
	bool as_logged;
};

#define SLV_EXPORT_MORE 4 /* channels in addition, at most */

/* Functions get the state, all zeros at first. */
struct slv_exporting {
	size_t state_size;

	/* It describes messages by the descriptors of the caller. */
	bool takes_messages;

	/* Change how channels are described.  What is new belongs to the
	 * state. */
	enum slv_status (*begin)(void *state, const struct slv_export_help *,
	    struct slv_channel_info *, uint32_t n, struct slv_err *);

	/* Change the payload of a record, whose channel is a position in the
	 * list, and what else must be; borrowed until the next call.  NULL: it
	 * stays as it is. */
	enum slv_status (*record)(
	    void *state, struct slv_record *, struct slv_err *);

	/* Channel i of those in addition, of messages that are made of records;
	 * it is written if those of channel *of are wanted, and not at all if
	 * that is UINT32_MAX.  NULL: there are not so many.  NULL: there never is one. */
	const struct slv_channel_info *(*more)(
	    void *state, unsigned i, uint32_t *of);

	/* Its message after a record; borrowed until the next call.
	 *
	 *   *any  false: there is none */
	enum slv_status (*derive)(void *state, unsigned i,
	    const struct slv_record *, struct slv_record *out, bool *any,
	    struct slv_err *);

	void (*release)(void *state);
};

#endif
