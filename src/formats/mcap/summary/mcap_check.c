/* mcap_check.c - does the summary say what is here?
 *
 * Writers differ in order and in what they leave out, so each record is compared with
 * what it is about.
 */
#include <string.h>

#include "base/search.h"
#include "core/compare.h"
#include "formats/mcap/summary/mcap_summary.h"

/* Where the records of an opcode are. */
struct group {
	uint64_t first, end, n;
};

struct checking {
	struct slv_scan *scan;
	struct mcap *mcap;
	struct group groups[MCAP_OPS];
	uint64_t n[MCAP_OPS]; /* records of each opcode, outside the summary */
	uint64_t own[MCAP_OPS]; /* ... without what only the summary declares */
	const char *wrong;      /* the first thing that is; NULL: nothing yet */
	uint64_t at;            /* and where */
	/* Of what the summary points to.  The scan's window is at the summary: it
	 * would be read again for each record there. */
	struct slv_window there;
};

static void
must(struct checking *x, bool yes, uint64_t at, const char *what)
{
	if (yes || x->wrong != NULL)
		return;
	x->wrong = what;
	x->at = at;
}

/* Whether a MessageIndex of the channel is there, after this chunk. */
static enum slv_status
is_index_at(struct checking *x, const struct mcap_chunk *c, uint16_t id,
    uint64_t at, bool *yes, struct slv_err *err)
{
	const struct mcap_bytes b = { &x->there, NULL, x->scan->source->size };
	struct mcap_record r;
	enum mcap_read read;

	*yes = at >= c->index && at < c->end;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(mcap_record_get(&b, at, &r, &read, err));
	*yes = read == MCAP_WHOLE && r.op == MCAP_MESSAGE_INDEX
	    && r.v[MCAP_ID] == id;
	return SLV_OK;
}

/* Read the index after the chunk at once, as far as it is small: an entry may name
 * any of its records next. */
static enum slv_status
view_index(struct checking *x, const struct mcap_chunk *c, struct slv_err *err)
{
	uint64_t n = slv_min64(c->end - c->index, SLV_WINDOW_STRIDE);
	const uint8_t *p;

	return slv_window_view(&x->there, c->index, (size_t)n, &p, err);
}

static bool
has_name(const uint8_t *name, uint64_t n, const struct mcap_chunk *c)
{
	const char *want = mcap_codec_name(c->codec);

	return c->strange || (strlen(want) == n && memcmp(want, name, n) == 0);
}

static enum slv_status
check_chunk_index(struct checking *x, uint64_t at, const struct mcap_record *r,
    struct slv_err *err)
{
	uint64_t base = x->scan->base, n = r->v[MCAP_DATA] / MCAP_COUNT;
	const struct mcap_chunk *c =
	    mcap_chunk_at(x->mcap, r->v[MCAP_OFFSET] + base);
	uint64_t list = at + r->at[MCAP_DATA];
	const uint8_t *p;
	bool yes = true;

	must(x, c != NULL, at, "a chunk index points to no chunk");
	if (c == NULL)
		return SLV_OK;
	SLV_TRY(slv_window_view(x->scan->window, at + r->at[MCAP_ENCODING],
	    (size_t)r->v[MCAP_ENCODING], &p, err));
	must(x,
	    r->v[MCAP_LENGTH] == c->data_end - c->off
	        && r->v[MCAP_MESSAGES] == c->end - c->data_end
	        && r->v[MCAP_STORED] == c->data_end - c->data
	        && r->v[MCAP_SIZE] == c->size
	        && has_name(p, r->v[MCAP_ENCODING], c),
	    at, "a chunk index states other sizes than its chunk");
	must(x,
	    c->messages == 0
	        || (r->v[MCAP_START] == c->from && r->v[MCAP_STOP] == c->to),
	    at, "a chunk index states other times than its chunk");
	must(x, n == 0 || n == c->n_counts || c->strange, at,
	    "a chunk index lists other channels than its chunk");
	if (n > 0)
		SLV_TRY(view_index(x, c, err));
	for (uint64_t i = 0; yes && i < n; i++) {
		SLV_TRY(slv_window_view(x->scan->window, list + i * MCAP_COUNT,
		    MCAP_COUNT, &p, err));
		SLV_TRY(is_index_at(x, c, slv_get_le16(p),
		    slv_get_le64(p + 2) + base, &yes, err));
		yes |= c->strange;
		must(x, yes, at, "a chunk index points to no message index");
	}
	return SLV_OK;
}

static enum slv_status
check_statistics(struct checking *x, uint64_t at, const struct mcap_record *r,
    struct slv_err *err)
{
	const struct mcap *m = x->mcap;
	const uint64_t *n = x->n, *own = x->own;
	uint64_t list = at + r->at[MCAP_DATA], sum = 0;
	const uint8_t *p;

	must(x, r->v[MCAP_MESSAGES] == m->messages || m->unread, at,
	    "the statistics count other messages than there are");
	/* Some writers do not count what only the summary declares. */
	must(x,
	    (r->v[MCAP_SCHEMAS] == n[MCAP_SCHEMA]
	        || r->v[MCAP_SCHEMAS] == own[MCAP_SCHEMA])
	        && (r->v[MCAP_CHANNELS] == n[MCAP_CHANNEL]
	            || r->v[MCAP_CHANNELS] == own[MCAP_CHANNEL]),
	    at,
	    "the statistics count other channels or schemas than there are");
	must(x,
	    r->v[MCAP_ATTACHMENTS] == n[MCAP_ATTACHMENT]
	        && r->v[MCAP_METADATAS] == n[MCAP_METADATA]
	        && r->v[MCAP_CHUNKS] == m->n_headed,
	    at,
	    "the statistics count other chunks or attachments than there are");
	must(x,
	    m->messages == 0 || m->unread
	        || ((r->v[MCAP_START] == m->from
	                || r->v[MCAP_START] == m->from_set)
	            && r->v[MCAP_STOP] == m->to),
	    at, "the statistics state other times than the messages");
	for (uint64_t i = 0; i < r->v[MCAP_DATA]; i += MCAP_COUNT) {
		size_t decl;

		SLV_TRY(slv_window_view(
		    x->scan->window, list + i, MCAP_COUNT, &p, err));
		decl = mcap_decl_find(m, MCAP_CHANNEL, slv_get_le16(p));
		sum += slv_get_le64(p + 2);
		must(x,
		    m->unread
		        || slv_get_le64(p + 2)
		            == (decl == MCAP_NONE ? 0 : m->decls[decl].n),
		    at, "the statistics count other messages of a channel");
	}
	must(x, sum == m->messages || r->v[MCAP_DATA] == 0 || m->unread, at,
	    "the statistics lack a channel");
	return SLV_OK;
}

/* Whether a text of two records is the same. */
static enum slv_status
is_same_text(struct checking *x, uint64_t at, const struct mcap_record *r,
    uint64_t off, const struct mcap_record *o, enum mcap_field field, bool *yes,
    struct slv_err *err)
{
	uint64_t same;

	*yes = r->v[field] == o->v[field];
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_compare(x->scan, at + r->at[field], off + o->at[field],
	    r->v[field], &same, err));
	*yes = same == r->v[field];
	return SLV_OK;
}

/* An AttachmentIndex or MetadataIndex. */
static enum slv_status
check_extra(struct checking *x, uint64_t at, const struct mcap_record *r,
    struct slv_err *err)
{
	const struct mcap *m = x->mcap;
	uint64_t off = r->v[MCAP_OFFSET] + x->scan->base;
	struct slv_search f = { .high = m->n_extras };
	struct mcap_record own;
	bool found, name, type = true;

	while (slv_search(&f))
		slv_search_on(&f, m->extras[f.mid].off < off);
	found = f.low < m->n_extras && m->extras[f.low].off == off
	    && m->extras[f.low].op == r->op - 1
	    && m->extras[f.low].len == r->v[MCAP_LENGTH];
	must(x, found, at, "an index points to no attachment or metadata");
	if (!found)
		return SLV_OK;
	SLV_TRY(mcap_look_again(
	    x->scan, off, off + m->extras[f.low].len, &own, err));
	SLV_TRY(is_same_text(x, at, r, off, &own, MCAP_NAME, &name, err));
	if (r->op == MCAP_ATTACHMENT_INDEX)
		SLV_TRY(is_same_text(
		    x, at, r, off, &own, MCAP_ENCODING, &type, err));
	must(x,
	    name && type && r->v[MCAP_LOG_TIME] == own.v[MCAP_LOG_TIME]
	        && r->v[MCAP_PUBLISH] == own.v[MCAP_PUBLISH]
	        && (r->op == MCAP_METADATA_INDEX
	            || r->v[MCAP_SIZE] == own.v[MCAP_DATA]),
	    at, "an index states other than its attachment or metadata");
	return SLV_OK;
}

/* A SummaryOffset comes after all groups. */
static void
check_offset(struct checking *x, uint64_t at, const struct mcap_record *r)
{
	const struct group *g = &x->groups[r->v[MCAP_ID] % MCAP_OPS];

	must(x,
	    g->n == 0 ? r->v[MCAP_LENGTH] == 0
	              : g->first == r->v[MCAP_OFFSET] + x->scan->base
	            && g->end - g->first == r->v[MCAP_LENGTH],
	    at, "a summary offset points elsewhere than to its group");
}

static enum slv_status
check_record(struct checking *x, uint64_t at, const struct mcap_record *r,
    struct slv_err *err)
{
	struct group *g = &x->groups[r->op % MCAP_OPS];

	if (r->op >= MCAP_OPS)
		return SLV_OK;
	if (g->n++ == 0)
		g->first = at;
	else
		must(x, g->end == at, at, "records of one kind are apart");
	g->end = at + mcap_span(r);
	switch (r->op) {
	case MCAP_CHUNK_INDEX: return check_chunk_index(x, at, r, err);
	case MCAP_STATISTICS: return check_statistics(x, at, r, err);
	case MCAP_ATTACHMENT_INDEX:
	case MCAP_METADATA_INDEX: return check_extra(x, at, r, err);
	case MCAP_SUMMARY_OFFSET: check_offset(x, at, r); break;
	default: break;
	}
	return SLV_OK;
}

/* What must be there as a whole. */
static void
check_groups(struct checking *x)
{
	const struct mcap *m = x->mcap;
	const struct group *g = x->groups;

	must(x, g[MCAP_STATISTICS].n <= 1, g[MCAP_STATISTICS].first,
	    "there are several statistics");
	must(x,
	    g[MCAP_CHUNK_INDEX].n == 0 || g[MCAP_CHUNK_INDEX].n == m->n_headed,
	    g[MCAP_CHUNK_INDEX].first, "a chunk has no chunk index");
	must(x,
	    g[MCAP_ATTACHMENT_INDEX].n == 0
	        || g[MCAP_ATTACHMENT_INDEX].n == x->n[MCAP_ATTACHMENT],
	    g[MCAP_ATTACHMENT_INDEX].first, "an attachment has no index");
	must(x,
	    g[MCAP_METADATA_INDEX].n == 0
	        || g[MCAP_METADATA_INDEX].n == x->n[MCAP_METADATA],
	    g[MCAP_METADATA_INDEX].first, "a metadata record has no index");
	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];

		must(x, d->in_summary || !d->declared || g[d->op].n == 0,
		    m->summary.from, "a schema or channel is not in it");
	}
}

static enum slv_status
check_footer(struct checking *x, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(x->scan);
	const struct mcap_summary *s = &x->mcap->summary;
	uint64_t from = s->data_end + MCAP_DATA_END, base = x->scan->base;
	uint64_t offsets = x->groups[MCAP_SUMMARY_OFFSET].first;
	uint64_t upto = s->footer + MCAP_FOOTER_SIZE - sizeof(uint32_t);
	uint32_t crc = 0;

	must(x, from <= s->footer, s->footer, "something else is in it");
	must(x, s->start == from - base || (from == s->footer && s->start == 0),
	    s->footer, "the footer points elsewhere than to the summary");
	must(x,
	    s->offsets == 0
	        ? offsets == 0
	        : s->offsets + base == (offsets == 0 ? s->footer : offsets),
	    s->footer, "the footer points elsewhere than to the offsets");
	if (s->crc == 0 || from > s->footer)
		return SLV_OK;
	SLV_TRY(mcap_crc(&b, from, upto - from, &crc, err));
	must(x, crc == s->crc, s->footer, "its checksum does not match");
	x->mcap->summary.proven = crc == s->crc;
	return SLV_OK;
}

static void
count_records(struct checking *x)
{
	const struct mcap *m = x->mcap;

	for (size_t i = 0; i < m->n_extras; i++)
		x->n[m->extras[i].op]++;
	for (size_t i = 0; i < m->n_decls; i++) {
		x->n[m->decls[i].op] += m->decls[i].declared;
		x->own[m->decls[i].op] += m->decls[i].recorded;
	}
}

static enum slv_status
check_records(struct checking *x, struct slv_err *err)
{
	const struct mcap_summary *s = &x->mcap->summary;
	uint64_t at = s->data_end + MCAP_DATA_END;

	count_records(x);
	must(x, !s->odd, at, "something else is in it");
	while (at < s->footer) {
		struct mcap_record r;
		enum mcap_read read;

		SLV_TRY(mcap_look(x->scan, at, &r, &read, err));
		must(x, read == MCAP_WHOLE, at, "something else is in it");
		if (read != MCAP_WHOLE)
			break;
		SLV_TRY(check_record(x, at, &r, err));
		at += mcap_span(&r);
	}
	must(x, at == s->footer, s->footer, "something else is in it");
	check_groups(x);
	return check_footer(x, err);
}

static enum slv_status
check_all(struct checking *x, struct slv_err *err)
{
	enum slv_status st;

	slv_window_init(&x->there, x->scan->source, x->scan->opt.cancel);
	st = check_records(x, err);
	slv_window_free(&x->there);
	return st;
}

/* Whether all bytes before an offset are kept. */
static bool
is_kept_upto(const struct slv_catalog *c, uint64_t end)
{
	size_t i = 0;

	while (i < c->n && c->at[i].off < end && c->at[i].fate == SLV_KEPT)
		i++;
	return i == c->n || c->at[i].off >= end;
}

/* The checksum of the data section.  Few files have one, so it is computed by a reading
 * of its own. */
static enum slv_status
check_data_sum(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	const struct mcap *m = mcap_of(s);
	const struct mcap_summary *x = &m->summary;
	uint64_t unsure = m->messages;
	uint32_t crc = 0;

	if (x->data_end == 0 || x->data_crc == 0 || s->skimmed.units > 0)
		return SLV_OK;
	/* A loss explains why it does not match. */
	mcap_edit(s)->summary.data_holds =
	    is_kept_upto(&s->catalog, x->data_end);
	if (!x->data_holds)
		return SLV_OK;
	SLV_TRY(mcap_crc(&b, s->base, x->data_end - s->base, &crc, err));
	if (crc == x->data_crc)
		return SLV_OK;
	mcap_edit(s)->summary.data_holds = false;
	mcap_edit(s)->summary.doubted = true;
	/* Where each chunk has a checksum of its own only their order is wrong. */
	for (size_t i = 0; i < m->n_chunks; i++)
		unsure -= m->chunks[i].summed ? m->chunks[i].messages : 0;
	s->units_unsure += unsure;
	return mcap_problem(s, unsure > 0 ? MCAP_P_DATA_CRC : MCAP_P_DATA_ORDER,
	    x->data_end, MCAP_DATA_END, x->data_crc, crc, err);
}

static enum slv_status
tell(struct checking *x, struct slv_err *err)
{
	struct mcap_summary *s = &x->mcap->summary;
	struct slv_problem problem = {
		.info = &mcap_problems[MCAP_P_SUMMARY],
		.off = x->at,
	};

	if (x->wrong == NULL)
		return SLV_OK;
	slv_problem_quote(problem.here, x->wrong, strlen(x->wrong));
	problem.len = s->footer > x->at ? s->footer - x->at : 0;
	return slv_problems_add(&x->scan->problems, &problem, err);
}

static enum slv_status
check(struct slv_scan *s, struct slv_err *err)
{
	struct checking x = { .scan = s, .mcap = mcap_edit(s) };
	struct mcap_summary *sum = &x.mcap->summary;
	uint64_t end = slv_min64(s->logical_end, x.mcap->upto);

	if (sum->data_end == 0 && sum->footer == 0)
		return mcap_problem(s,
		    sum->from == 0 ? MCAP_P_UNCLOSED : MCAP_P_SUMMARY_CUT,
		    sum->from == 0 ? end : sum->from, 0, 0, 0, err);
	sum->data_holds = true;
	SLV_TRY(check_data_sum(s, err));
	if (sum->footer == 0)
		return mcap_problem(s, MCAP_P_SUMMARY_CUT,
		    mcap_summary_from(sum), 0, 0, 0, err);
	if (sum->data_end == 0)
		return mcap_problem(
		    s, MCAP_P_NO_DATA_END, sum->from, 0, 0, 0, err);
	SLV_TRY(check_all(&x, err));
	if (!sum->ended)
		SLV_TRY(mcap_problem(s, MCAP_P_END_MAGIC,
		    sum->footer + MCAP_FOOTER_SIZE, 0, 0, 0, err));
	sum->stays = x.wrong == NULL && sum->ended && sum->data_holds
	    && x.mcap->upto == sum->footer + MCAP_TAIL_SIZE;
	return tell(&x, err);
}

enum slv_status
mcap_summary_check(struct slv_scan *s, struct slv_err *err)
{
	SLV_TRY(mcap_placed_settle(s, err));
	SLV_TRY(check(s, err));
	return mcap_find_missing(s, err);
}
