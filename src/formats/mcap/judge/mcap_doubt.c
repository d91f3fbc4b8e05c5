/* mcap_doubt.c - declarations that may not say what was recorded.
 *
 * Topics, types and definitions are written once or twice in a file.  Where damage reached
 * the only copy of one, its messages are kept, and nothing shows what they are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "formats/mcap/judge/mcap_judge.h"

#define DECLS_MAX 4096 /* that are compared with one */

/* Whether these bytes have control characters that no line of text has. */
static bool
has_controls(const uint8_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((at[i] < 0x20 && strchr("\t\n\r", at[i]) == NULL)
		    || at[i] == 0 || at[i] == 0x7f)
			return true;
	}
	return false;
}

/* Whether a definition with this name of its language is a text. */
static bool
is_text(const uint8_t *language, size_t n)
{
	static const char *const texts[] = { "ros1msg", "ros2msg", "ros2idl",
		"omgidl", "jsonschema" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (strlen(texts[i]) == n && memcmp(texts[i], language, n) == 0)
			return true;
	}
	return false;
}

bool
mcap_text_is_odd(const struct mcap *m, size_t text, uint64_t len)
{
	const struct mcap_bytes b = { NULL, m->texts.at + text, len };
	const uint8_t *name, *language;
	struct mcap_record r;
	enum mcap_read read;

	(void)mcap_record_get(&b, 0, &r, &read, NULL);
	name = b.at + r.at[MCAP_NAME];
	language = b.at + r.at[MCAP_ENCODING];
	if (has_controls(name, (size_t)r.v[MCAP_NAME])
	    || has_controls(language, (size_t)r.v[MCAP_ENCODING]))
		return true;
	return r.op == MCAP_SCHEMA
	    && is_text(language, (size_t)r.v[MCAP_ENCODING])
	    && has_controls(b.at + r.at[MCAP_DATA], (size_t)r.v[MCAP_DATA]);
}

/* The package of the type that a schema names; empty: it is no schema, or has none. */
static struct slv_span
package_of(const struct mcap *m, size_t text, uint64_t len)
{
	const struct mcap_bytes b = { NULL, m->texts.at + text, len };
	struct slv_span out = { NULL, 0 };
	struct mcap_record r;
	enum mcap_read read;
	const uint8_t *slash;

	(void)mcap_record_get(&b, 0, &r, &read, NULL);
	if (r.op != MCAP_SCHEMA)
		return out;
	out.at = b.at + r.at[MCAP_NAME];
	slash = memchr(out.at, '/', (size_t)r.v[MCAP_NAME]);
	out.len = slash != NULL ? (size_t)(slash - out.at) : 0;
	return out;
}

size_t
mcap_package_mates(const struct mcap *m, size_t decl, size_t text, uint64_t len)
{
	struct slv_span own = package_of(m, text, len);
	size_t n = 0;

	for (size_t i = 0; own.len > 0 && i < m->n_decls && i < DECLS_MAX;
	     i++) {
		const struct mcap_decl *d = &m->decls[i];
		struct slv_span one;

		if (i == decl || d->op != MCAP_SCHEMA || !d->declared)
			continue;
		one = package_of(m, d->text, d->len);
		n += slv_span_same(one, own);
	}
	return n;
}

/* Whether damage may be in what a declaration says: its texts show that, another
 * declaration has as much evidence, or it is only in a summary that its checksum
 * contradicts. */
static bool
is_doubtful(const struct mcap *m, const struct mcap_decl *d)
{
	bool refuted = m->summary.crc != 0 && !m->summary.proven;

	return d->declared && !d->proven
	    && (d->tied || mcap_text_is_odd(m, d->text, d->len)
	        || (refuted && !d->recorded && d->votes == 1));
}

/* Report the channels that are doubtful, or of which the schema is. */
static enum slv_status
report(struct slv_scan *s, const bool *doubtful, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);

	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];
		size_t schema;

		if (d->op != MCAP_CHANNEL)
			continue;
		schema = mcap_decl_find(m, MCAP_SCHEMA, d->schema);
		if (!doubtful[i] && (schema == MCAP_NONE || !doubtful[schema]))
			continue;
		s->units_unsure += d->n;
		SLV_TRY(mcap_problem(s, MCAP_P_DOUBTFUL,
		    d->place != 0 ? d->place : mcap_summary_from(&m->summary),
		    0, d->id, d->n, err));
	}
	return SLV_OK;
}

/* Each declaration is read once, however many channels share a schema. */
enum slv_status
mcap_doubt_declarations(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	enum slv_status st;
	bool *doubtful;

	SLV_TRY(slv_new(&doubtful, m->n_decls, sizeof(*doubtful), err));
	for (size_t i = 0; i < m->n_decls; i++)
		doubtful[i] = is_doubtful(m, &m->decls[i]);
	st = report(s, doubtful, err);
	slv_free(doubtful);
	return st;
}
