/* writer.h - a format that records of other formats can be written in.
 *
 * A writer turns channels and records, one after the other, into the bytes of a
 * file.  It never goes back, so the bytes can be written while they come.
 */
#ifndef SLV_CORE_WRITER_H
#define SLV_CORE_WRITER_H

#include "base/buf.h"
#include "core/format/format.h"

struct slv_gap;

/* The bytes that are not written yet. */
struct slv_outgoing {
	struct slv_buf buf; /* owned */
	uint64_t before;    /* bytes that are */
	bool opaque;        /* the payload of the last record is bytes that the
	                     * file does not explain */
	bool unfit;         /* if so: the log has a description of it that is
	                     * understood, and does not match */
};

/* Where the next byte will be. */
static inline uint64_t
slv_outgoing_at(const struct slv_outgoing *out)
{
	return out->before + out->buf.len;
}

/* How to write it. */
struct slv_write_how {
	const char *compression; /* "none", "lz4", "zstd"; NULL: as usual */
	uint64_t chunk_size;     /* bytes of records in a chunk; 0: as usual */
	slv_layout_fn *layout;   /* of the log's format; NULL: it has none */
	const uint32_t *numbers; /* of the channels in the log; borrowed until
	                          * release() */
};

/* Functions get the writer's state, all zeros at first, and append what can be
 * written.
 *
 * SLV_E_NOMEM, SLV_E_LIMIT: the format cannot hold this */
struct slv_writing {
	size_t state_size;

	/* It takes channels and payloads as the log has them, and reads them by
	 * their layouts; otherwise as struct slv_exporting describes them. */
	bool as_logged;

	/* Begin a file with these channels, borrowed until release(). */
	enum slv_status (*begin)(void *state, const struct slv_write_how *,
	    const struct slv_channel_info *, uint32_t n, struct slv_outgoing *,
	    struct slv_err *);

	/* Add a record; its channel is a position in the list.  Sets ->opaque. */
	enum slv_status (*record)(void *state, const struct slv_record *,
	    struct slv_outgoing *, struct slv_err *);

	/* After the last record: add a gap.  NULL: gaps are records of a channel
	 * of their own. */
	enum slv_status (*gap)(void *state, const struct slv_gap *,
	    struct slv_outgoing *, struct slv_err *);

	/* After that: add what is known about all of them. */
	enum slv_status (*note)(void *state, const char *name,
	    const struct slv_pair *, uint32_t n, struct slv_outgoing *,
	    struct slv_err *);

	enum slv_status (*end)(
	    void *state, struct slv_outgoing *, struct slv_err *);

	void (*release)(void *state);
};

#endif
