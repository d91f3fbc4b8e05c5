/* show.c - report the fate of each block to a listing. */
#include "core/scan/show.h"

/* Report a block to a listing. */
static enum slv_status
hand_out(struct slv_scan *s, const struct slv_unit *u, struct slv_block b,
    enum slv_fate fate, struct slv_err *err)
{
	bool more;

	b.kind = u != NULL ? s->format->kinds[u->tag] : "bytes";
	b.verdict = slv_fate_name(fate);
	if (u != NULL && u->has_channel) {
		b.has_channel = true;
		b.channel = u->channel;
		if (!s->opt.nameless)
			b.channel_name = s->format->channel_name(s, u->channel);
	}
	if (u != NULL && u->time.known) {
		b.has_time = true;
		b.sec = u->time.sec;
		b.nanos = u->time.nanos;
	}
	more = s->opt.on_block(s->opt.on_block_ctx, &b);
	return more ? SLV_OK : slv_fail(err, SLV_E_CANCELLED, "stopped");
}

enum slv_status
slv_show(struct slv_scan *s, const struct slv_unit *u, uint64_t off,
    uint64_t len, enum slv_fate fate, struct slv_err *err)
{
	struct slv_block b = { .off = off, .len = len };

	return s->opt.on_block == NULL || len == 0
	    ? SLV_OK
	    : hand_out(s, u, b, fate, err);
}

enum slv_status
slv_show_range(struct slv_scan *s, uint64_t off, uint64_t end,
    enum slv_fate fate, struct slv_err *err)
{
	while (s->opt.on_block != NULL && off < end) {
		struct slv_unit u = { 0 };
		bool one;

		SLV_TRY(s->format->unit(s, off, SLV_ASK_NEXT, &u, err));
		one = u.verdict == SLV_UNIT_GOOD && u.len <= end - off;
		SLV_TRY(slv_show(s, one ? &u : NULL, off,
		    one ? u.len : end - off, fate, err));
		off = one ? off + u.len : end;
	}
	return SLV_OK;
}

enum slv_status
slv_show_pack(struct slv_scan *s, const struct slv_unit *u, uint64_t off,
    struct slv_err *err)
{
	bool all = u->fate == SLV_KEPT || u->fate == SLV_REBUILT;

	if (s->opt.on_block == NULL || s->format->packs == NULL || !all)
		return SLV_OK;
	return s->format->packs->show(s, off, u, err);
}

enum slv_status
slv_show_packed(struct slv_scan *s, const struct slv_unit *u, uint64_t pack,
    uint64_t at, struct slv_err *err)
{
	struct slv_block b = { pack, u->len, .packed = true, .inner = at };

	return hand_out(s, u, b, SLV_KEPT, err);
}
