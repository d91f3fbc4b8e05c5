/* windows.c - the spans of time that a log is split into. */
#include "job/extract/windows.h"

#include "base/list.h"

/* A window while records pass, in the order of their times. */
struct open {
	uint64_t bytes;
	int64_t last; /* time of a record */
};

static bool
is_full(const struct slv_windows *w, const struct open *o,
    const struct slv_record *r, uint64_t span, uint64_t size)
{
	int64_t begun = w->at[w->n - 1];

	if (span > 0 && (uint64_t)(r->log_ns - begun) >= span)
		return true;
	return size > 0 && r->log_ns > o->last
	    && (o->bytes >= size || r->len > size - o->bytes);
}

static enum slv_status
take(struct slv_windows *w, struct open *o, const struct slv_record *r,
    uint64_t span, uint64_t size, struct slv_err *err)
{
	int64_t at = r->log_ns;

	if (w->n > 0 && !is_full(w, o, r, span, size)) {
		o->bytes += r->len;
		o->last = at;
		return SLV_OK;
	}
	/* Windows of one length begin at multiples of it. */
	if (w->n > 0 && span > 0 && size == 0)
		at -= (int64_t)((uint64_t)(at - w->at[w->n - 1]) % span);
	SLV_TRY(SLV_ADD_AT(w, err, at));
	*o = (struct open){ r->len, r->log_ns };
	return SLV_OK;
}

enum slv_status
slv_windows_find(
    struct slv_windows *w, struct slv_log *log, uint64_t span, uint64_t size)
{
	const struct slv_selection chosen = log->opt.choice;
	struct slv_err *err = &log->err;
	const struct slv_record *r;
	struct slv_reader *reader;
	struct open o = { 0 };

	log->opt.choice.order = "time";
	log->opt.choice.latched = "none";
	(void)slv_reader_open(log, &reader);
	log->opt.choice = chosen;
	while (reader != NULL && (r = slv_reader_next(reader)) != NULL) {
		if (r->log_ns < 0)
			slv_fail(err, SLV_E_REFUSED,
			    "%s: cannot be split by time: a record at %llu "
			    "has no time since 1970",
			    log->name, (unsigned long long)r->off);
		else
			(void)take(w, &o, r, span, size, err);
		if (err->code != SLV_OK)
			break;
	}
	slv_reader_close(reader);
	w->end = o.last + 1;
	return err->code;
}

void
slv_windows_free(struct slv_windows *w)
{
	slv_free(w->at);
}
