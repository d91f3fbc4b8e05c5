/* cursor.c - walk over the records of a log. */
#include "job/read/cursor.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/scan/cache.h"

enum slv_status
slv_cursor_begin(struct slv_cursor *c, struct slv_log *log)
{
	*c = (struct slv_cursor){
		.log = log,
		.at = { 0, SLV_UNPACKED },
	};
	c->passed = slv_calloc(log->channels.n + 1, sizeof(*c->passed));
	if (c->passed == NULL)
		return slv_fail(&log->err, SLV_E_NOMEM, "out of memory");
	/* What was decoded so far does not count against the limit of a pass. */
	slv_cache_drop(log->scan->cache);
	log->decoded++;
	return SLV_OK;
}

/* Drop the kept chunk that was used least recently. */
static struct slv_kept_pack *
drop_oldest(struct slv_cursor *c)
{
	struct slv_kept_pack *oldest = &c->kept[0];

	for (size_t i = 1; i < SLV_CURSOR_PACKS; i++) {
		if (c->kept[i].used != 0
		    && (oldest->used == 0 || c->kept[i].used < oldest->used))
			oldest = &c->kept[i];
	}
	c->bytes -= oldest->content.len;
	slv_free((void *)oldest->content.at);
	*oldest = (struct slv_kept_pack){ .used = 0 };
	return oldest;
}

/* Keep the content, which the driver may drop. */
static enum slv_status
keep(struct slv_cursor *c)
{
	struct slv_kept_pack *slot = NULL;
	uint8_t *copy;

	while (c->bytes > 0 && c->bytes + c->content.len > SLV_CURSOR_KEPT)
		drop_oldest(c);
	for (size_t i = 0; i < SLV_CURSOR_PACKS && slot == NULL; i++) {
		if (c->kept[i].used == 0)
			slot = &c->kept[i];
	}
	if (slot == NULL)
		slot = drop_oldest(c);
	copy = slv_realloc(NULL, c->content.len + 1);
	if (copy == NULL)
		return slv_fail(&c->log->err, SLV_E_NOMEM, "out of memory");
	memcpy(copy, c->content.at, c->content.len);
	c->content.at = copy;
	*slot = (struct slv_kept_pack){ c->at.off, c->pack, c->content,
		++c->clock };
	c->bytes += c->content.len;
	return SLV_OK;
}

/* Return true if the chunk at `at` is kept. */
static bool
find_kept(struct slv_cursor *c)
{
	for (size_t i = 0; i < SLV_CURSOR_PACKS; i++) {
		struct slv_kept_pack *k = &c->kept[i];

		if (k->used == 0 || k->off != c->at.off)
			continue;
		k->used = ++c->clock;
		c->pack = k->item;
		c->content = k->content;
		return true;
	}
	return false;
}

/* Decode the chunk at `at`, unless what the driver holds is still that. */
static enum slv_status
take_content(struct slv_cursor *c)
{
	struct slv_log *log = c->log;
	struct slv_scan *s = log->scan;

	if (c->keeps || c->decoded == log->decoded)
		return SLV_OK;
	c->decoded = ++log->decoded;
	return s->format->records->content(
	    s, c->at.off, &c->pack, &c->content, &log->err);
}

/* The item at `at` of the log. */
static enum slv_status
look(struct slv_cursor *c, struct slv_item *item)
{
	struct slv_scan *s = c->log->scan;
	struct slv_err *err = &c->log->err;

	*item = (struct slv_item){ .kind = SLV_ITEM_OTHER };
	if (c->at.inner == SLV_UNPACKED)
		SLV_TRY(s->format->records->item(s, c->at.off, item, err));
	else
		SLV_TRY(s->format->records->inner(
		    s, &c->content, c->at.inner, item, err));
	if (item->len == 0 || item->data > item->len
	    || item->data_len > item->len - item->data
	    || item->len > (c->at.inner == SLV_UNPACKED
	               ? s->source->size - c->at.off
	               : c->content.len - c->at.inner))
		return slv_fail(err, SLV_E_BUG,
		    "%s: the record at %llu is not as long as it was",
		    c->log->name, (unsigned long long)c->at.off);
	return SLV_OK;
}

/* Continue inside the chunk at `at`, from that place of its content on. */
static enum slv_status
enter(struct slv_cursor *c, const struct slv_item *pack, uint64_t inner)
{
	c->pack = *pack;
	c->decoded = 0;
	SLV_TRY(take_content(c));
	c->at.inner = inner;
	return SLV_OK;
}

/* What confirms the record. */
static enum slv_sureness
judge(const struct slv_cursor *c, const struct slv_origin *from)
{
	enum slv_assurance all = c->log->work.audit.assurance;
	bool packed = c->spot.inner != SLV_UNPACKED;

	if (all == SLV_BY_DIGEST)
		return SLV_SURE_DIGEST;
	if (from->suspect)
		return SLV_SURE_SUSPECT;
	/* Checksums that a repair has computed confirm nothing. */
	return from->copied
	        && (all == SLV_BY_CHECKSUM
	            || (packed ? c->content.summed : c->item.summed))
	    ? SLV_SURE_CHECKSUM
	    : SLV_SURE_STRUCTURE;
}

/* Describe the item as a record. */
static enum slv_status
describe(struct slv_cursor *c)
{
	struct slv_log *log = c->log;
	bool packed = c->spot.inner != SLV_UNPACKED;
	struct slv_origin from = slv_origin_of(&log->origins, c->spot.off,
	    packed ? c->pack.len : c->item.len, &c->line);
	uint32_t channel = slv_channels_find(&log->channels, c->item.channel);

	if (channel == UINT32_MAX)
		return slv_fail(&log->err, SLV_E_BUG,
		    "%s: the record at %llu is of a channel that is not "
		    "declared",
		    log->name, (unsigned long long)c->spot.off);
	c->record = (struct slv_record){
		.size_of = sizeof(c->record),
		.channel = channel,
		.flags = (from.made ? SLV_RECORD_MADE : 0)
		    | (c->item.numbered ? SLV_RECORD_NUMBERED : 0),
		.log_ns = c->item.log_ns,
		.publish_ns = c->item.publish_ns,
		.sequence = c->item.sequence,
		.len = (size_t)c->item.data_len,
		.off = from.off,
		.inner = from.made ? SLV_UNPACKED : c->spot.inner,
		.sure = judge(c, &from),
	};
	return SLV_OK;
}

/* Count the record, and find what was lost before it. */
static void
count(struct slv_cursor *c)
{
	const struct slv_origins *o = &c->log->origins;
	struct slv_passed *p = &c->passed[c->record.channel];

	while (c->losses < o->n && o->losses[c->losses].from <= c->spot.off)
		c->losses++;
	if (p->losses < c->losses
	    || (c->losses > 0 && c->spot.off < o->losses[c->losses - 1].upto))
		c->record.flags |= SLV_RECORD_AFTER_GAP;
	p->losses = c->losses;
	if (!c->item.numbered)
		c->record.sequence = p->n;
	p->n++;
}

/* Go on after the item. */
static void
step(struct slv_cursor *c, const struct slv_item *item)
{
	if (c->at.inner == SLV_UNPACKED) {
		c->at.off += item->len;
		c->ended |= item->ends;
		return;
	}
	c->at.inner += item->len;
}

enum slv_status
slv_cursor_step(struct slv_cursor *c)
{
	const volatile sig_atomic_t *cancel = c->log->opt.cancel;

	if (slv_is_cancelled(cancel))
		return slv_fail(&c->log->err, SLV_E_CANCELLED, "stopped");
	if (c->at.inner != SLV_UNPACKED && c->at.inner == c->content.len)
		slv_cursor_skip(c);
	c->ended |= c->at.inner == SLV_UNPACKED
	    && c->at.off >= c->log->scan->source->size;
	if (c->ended)
		return SLV_OK;
	if (c->at.inner != SLV_UNPACKED)
		SLV_TRY(take_content(c));
	SLV_TRY(look(c, &c->item));
	c->spot = c->at;
	if (c->item.kind == SLV_ITEM_PACK)
		return enter(c, &c->item, 0);
	step(c, &c->item);
	return SLV_OK;
}

void
slv_cursor_skip(struct slv_cursor *c)
{
	c->at.off += c->pack.len;
	c->at.inner = SLV_UNPACKED;
}

enum slv_status
slv_cursor_next(struct slv_cursor *c)
{
	do {
		SLV_TRY(slv_cursor_step(c));
	} while (!c->ended && c->item.kind != SLV_ITEM_RECORD);
	if (c->ended)
		return SLV_OK;
	SLV_TRY(describe(c));
	count(c);
	return SLV_OK;
}

enum slv_status
slv_cursor_find(struct slv_cursor *c, struct slv_spot spot)
{
	struct slv_item pack;

	c->at = (struct slv_spot){ spot.off, SLV_UNPACKED };
	if (spot.inner != SLV_UNPACKED && !find_kept(c)) {
		SLV_TRY(look(c, &pack));
		c->keeps = false;
		SLV_TRY(enter(c, &pack, spot.inner));
		c->keeps = true;
		SLV_TRY(keep(c));
	}
	c->at = c->spot = spot;
	SLV_TRY(look(c, &c->item));
	return describe(c);
}

/* Read a payload of the log itself that no window holds. */
static enum slv_status
load_long(struct slv_cursor *c, uint64_t off)
{
	struct slv_log *log = c->log;
	uint64_t most = log->scan->opt.limits.max_chunk;
	uint64_t n = c->item.data_len;
	uint8_t *room;

	if (n > most)
		return slv_fail(&log->err, SLV_E_LIMIT,
		    "%s: the record at %llu has %llu bytes, which is over the "
		    "limit (--max-chunk)",
		    log->name, (unsigned long long)c->record.off,
		    (unsigned long long)n);
	if (c->buf.cap < n) {
		room = slv_realloc(c->buf.at, (size_t)n);
		if (room == NULL)
			return slv_fail(
			    &log->err, SLV_E_NOMEM, "out of memory");
		c->buf.at = room;
		c->buf.cap = (size_t)n;
	}
	SLV_TRY(slv_source_read(
	    log->scan->source, off, c->buf.at, (size_t)n, &log->err));
	c->record.data = c->buf.at;
	return SLV_OK;
}

enum slv_status
slv_cursor_load(struct slv_cursor *c)
{
	uint64_t off = c->spot.off + c->item.data;
	const uint8_t *p = (const uint8_t *)"";

	if (c->spot.inner != SLV_UNPACKED) {
		c->record.data = c->content.at + c->spot.inner + c->item.data;
		return SLV_OK;
	}
	if (c->item.data_len > SLV_WINDOW_MAX)
		return load_long(c, off);
	if (c->item.data_len > 0)
		SLV_TRY(slv_window_view(c->log->scan->window, off,
		    (size_t)c->item.data_len, &p, &c->log->err));
	c->record.data = p;
	return SLV_OK;
}

void
slv_cursor_free(struct slv_cursor *c)
{
	for (size_t i = 0; i < SLV_CURSOR_PACKS; i++) {
		if (c->kept[i].used != 0)
			slv_free((void *)c->kept[i].content.at);
	}
	slv_buf_free(&c->buf);
	slv_free(c->passed);
}
