/* ulog_accept.c - a unit belongs to the log: remember what it says. */
#include "base/list.h"
#include "formats/ulog/ulog_state.h"
#include "support/memory.h"

const char *const ulog_infos[ULOG_INFOS] = {
	"sys_name",
	"ver_hw",
	"ver_hw_subtype",
	"ver_sw",
	"ver_sw_branch",
	"ver_sw_release",
	"sys_os_name",
	"sys_uuid",
};

static enum slv_status
accept_header(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	const uint8_t *p;

	m->has_header = u->fate == SLV_KEPT;
	SLV_TRY(slv_window_view(s->window, off, ULOG_HEADER, &p, err));
	m->version = m->has_header ? p[ULOG_MAGIC_SIZE] : 1;
	return SLV_OK;
}

static void
accept_flags(struct slv_scan *s, const struct ulog_message *msg)
{
	struct ulog *m = ulog_edit(s);

	m->has_flags = true;
	memcpy(m->flags, msg->body, sizeof(m->flags));
	if (!(m->flags[ULOG_INCOMPAT] & ULOG_HAS_APPENDED))
		return;
	for (int i = 0; i < ULOG_OFFSETS; i++) {
		uint64_t at = slv_get_le64(m->flags + ULOG_APPENDED + 8 * i);

		if (at > ULOG_HEADER && at < s->source->size)
			m->offsets[i] = s->base + at;
	}
}

/* Leave a unit out. */
static void
leave_out(struct slv_unit *u, enum slv_fate fate, unsigned problem)
{
	u->fate = fate;
	u->problem = problem;
}

static enum slv_status
accept_format(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct ulog_message *msg, struct slv_err *err)
{
	const struct slv_span text = { msg->body, msg->size };
	struct ulog *m = ulog_edit(s);
	struct slv_span name, rest;
	struct ulog_format *f;
	bool added, same;

	SLV_TRY(ulog_format_add(s, text, false, &added, err));
	(void)ulog_format_split(text, &name, &rest);
	f = ulog_format_find(m, name);
	if (added && f != NULL && m->data_at > 0)
		f->late = off;
	if (added)
		return SLV_OK;
	same = f != NULL && f->len == text.len
	    && memcmp(m->texts.at + f->text, text.at, text.len) == 0;
	if (same && m->data_at == 0)
		return SLV_OK;
	leave_out(u, same ? SLV_FILLER : SLV_LOST,
	    same ? ULOG_P_REPEATED : ULOG_P_TWO_MEANINGS);
	return SLV_OK;
}

static enum slv_status
accept_sub(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct ulog_message *msg, struct slv_err *err)
{
	const struct slv_span name = { msg->body + 3, msg->size - 3 };
	uint16_t id = slv_get_le16(msg->body + 1);
	struct ulog *m = ulog_edit(s);
	struct ulog_sub *sub;
	bool same;

	SLV_TRY(ulog_sub_get(s, id, &sub, err));
	same = (sub->declared || sub->lent) && sub->multi == msg->body[0]
	    && sub->name_len == name.len
	    && memcmp(m->texts.at + sub->name, name.at, name.len) == 0;
	/* Its messages will show which one is right. */
	if (sub->declared && !same && sub->n + sub->n_odd + sub->rival == 0) {
		sub->rival = off;
		return SLV_OK;
	}
	if (sub->declared || (same && sub->n > 0)) {
		leave_out(u, same ? SLV_FILLER : SLV_LOST,
		    same ? ULOG_P_REPEATED : ULOG_P_TWO_MEANINGS);
		return SLV_OK;
	}
	SLV_TRY(ulog_sub_name(s, sub, name, err));
	sub->declared = true;
	sub->lent = false;
	sub->multi = msg->body[0];
	sub->at = off;
	ulog_sub_resolve(m, sub);
	return SLV_OK;
}

/* Take the other declaration if that explains messages of this size. */
static enum slv_status
settle_rival(struct slv_scan *s, struct ulog_sub *sub, uint32_t size,
    struct slv_err *err)
{
	struct ulog_sub other = *sub;
	struct ulog_message msg;

	SLV_TRY(ulog_look_again(s, sub->rival, ULOG_TAG_SUB, &msg, err));
	other.at = sub->rival;
	other.rival = sub->at;
	other.multi = msg.body[0];
	SLV_TRY(ulog_sub_name(
	    s, &other, (struct slv_span){ msg.body + 3, msg.size - 3 }, err));
	ulog_sub_resolve(ulog_edit(s), &other);
	if (ulog_sub_fits(&other, size))
		*sub = other;
	else
		ulog_sub_resolve(ulog_edit(s), sub);
	return SLV_OK;
}

static enum slv_status
accept_data(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct ulog_message *msg, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	struct ulog_sub *sub;
	uint32_t size = msg->size;
	uint64_t memory;
	bool odd;

	SLV_TRY(ulog_sub_get(s, ulog_id(msg), &sub, err));
	u->channel = sub->id;
	if (sub->rival > 0 && sub->n == 0 && !ulog_sub_fits(sub, size))
		SLV_TRY(settle_rival(s, sub, size, err));
	/* A number that is wrong, or a format. */
	odd = sub->sizes[0] > 0 && !ulog_sub_fits(sub, size);
	sub->n_odd += odd;
	if (!odd && sub->n++ == 0) {
		sub->size = size;
		sub->first_off = off;
		sub->first = u->priv[0];
	}
	if (!odd && u->priv[1]) {
		m->back |= u->priv[0] < sub->last;
		sub->last = u->priv[0];
	}
	if (!odd && sub->declared && sub->usable) {
		sub->quick = sub->stamp > 0 ? sub->size : 0;
		return SLV_OK;
	}
	memory = m->n_orphans * sizeof(*m->orphans);
	SLV_TRY(
	    slv_memory_take(s, &memory, sizeof(*m->orphans), "messages", err));
	return SLV_ADD(m, orphans, err,
	    (struct ulog_orphan){
	        off, (uint32_t)u->len, (uint32_t)(sub - m->subs) });
}

/* What describe() will show. */
static void
accept_info(struct slv_scan *s, uint64_t off, const struct ulog_message *msg)
{
	struct ulog *m = ulog_edit(s);
	struct slv_span key, value;
	const uint8_t *name;

	ulog_pair(msg, &key, &value);
	name = memchr(key.at, ' ', key.len);
	if (msg->type != 'I' || name++ == NULL)
		return;
	for (int i = 0; i < ULOG_INFOS; i++) {
		size_t n = strlen(ulog_infos[i]);

		if (n == key.len - (size_t)(name - key.at)
		    && memcmp(name, ulog_infos[i], n) == 0)
			m->infos[i] = off;
	}
}

enum slv_status
ulog_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	struct ulog_message msg;

	if (u->tag == ULOG_TAG_LOG)
		return SLV_OK;
	if (u->tag == ULOG_TAG_HEADER)
		return accept_header(s, off, u, err);
	for (int i = 0; i < ULOG_OFFSETS; i++) {
		m->met[i] |= m->offsets[i] == off;
		if (u->tag == ULOG_TAG_CUT && m->offsets[i] == off + u->len)
			m->cuts[i] = off;
	}
	if (u->tag == ULOG_TAG_CUT)
		return SLV_OK;
	SLV_TRY(ulog_look_again(s, off, u->tag, &msg, err));
	if (m->data_at == 0
	    && (u->tag == ULOG_TAG_SUB || u->tag == ULOG_TAG_DATA
	        || u->tag == ULOG_TAG_TEXT || u->tag == ULOG_TAG_MARK))
		m->data_at = off;
	m->has_default |= msg.type == 'Q';
	m->changed += msg.type == 'P' && m->data_at > 0;
	s->keeps_others |= u->tag != ULOG_TAG_FLAGS;
	if (msg.type == 'O') {
		m->dropouts++;
		m->dropout_ms += slv_get_le16(msg.body);
	}
	switch (u->tag) {
	case ULOG_TAG_FLAGS: accept_flags(s, &msg); return SLV_OK;
	case ULOG_TAG_INFO: accept_info(s, off, &msg); return SLV_OK;
	case ULOG_TAG_FORMAT: return accept_format(s, off, u, &msg, err);
	case ULOG_TAG_SUB: return accept_sub(s, off, u, &msg, err);
	case ULOG_TAG_DATA: return accept_data(s, off, u, &msg, err);
	default: return SLV_OK;
	}
}
