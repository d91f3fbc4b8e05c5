/* mcap_notes.c - what Metadata records and channels note for other programs.
 *
 * ROS 2 keeps there what its metadata.yaml says too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "formats/mcap/mcap_state.h"

#define NOTES_MAX ((size_t)1 << 20) /* bytes of those of a file */

/* The Metadata record in which an export says what was lost; what it says has the names
 * that annotations of repairs have. */
#define OURS "salvor"

static bool
is_ours(struct slv_span name)
{
	return name.len == strlen(OURS) && memcmp(name.at, OURS, name.len) == 0;
}

/* "prefix/text", "salvor:text" or the text; NULL: there is no memory. */
static char *
name_of(struct slv_span prefix, struct slv_span text)
{
	struct slv_buf buf = { 0 };

	slv_buf_add(&buf, prefix.at, prefix.len);
	if (prefix.len > 0)
		slv_buf_text(&buf, is_ours(prefix) ? ":" : "/");
	slv_buf_add(&buf, text.at, text.len);
	return slv_buf_take(&buf);
}

/* The text at the beginning of the rest of a map. */
static bool
next_text(struct slv_span *rest, struct slv_span *out)
{
	if (rest->len < 4 || slv_get_le32(rest->at) > rest->len - 4)
		return false;
	*out = (struct slv_span){ rest->at + 4, slv_get_le32(rest->at) };
	rest->at += 4 + out->len;
	rest->len -= 4 + out->len;
	return true;
}

/* Each pair of a map: a note about the channel, or NULL: about the file. */
static enum slv_status
add_map(struct slv_facts *facts, struct slv_channel *ch, struct slv_span prefix,
    struct slv_span map, struct slv_err *err)
{
	const struct slv_span none = { NULL, 0 };
	struct slv_span key, value;

	while (next_text(&map, &key) && next_text(&map, &value)) {
		char *k = name_of(prefix, key), *v = name_of(none, value);

		if (ch != NULL)
			SLV_TRY(slv_channel_note(ch, k, v, err));
		else if (is_ours(prefix))
			SLV_TRY(slv_facts_annotation(facts, k, v, err));
		else
			SLV_TRY(slv_facts_note(facts, k, v, err));
	}
	return SLV_OK;
}

enum slv_status
mcap_notes_of_channel(const struct mcap *m, const struct mcap_decl *d,
    struct slv_channel *ch, struct slv_err *err)
{
	const struct slv_span none = { NULL, 0 };
	struct slv_span map = mcap_decl_text(m, d, MCAP_MAP);

	return map.len > NOTES_MAX ? SLV_OK : add_map(NULL, ch, none, map, err);
}

enum slv_status
mcap_notes(struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	size_t left = NOTES_MAX;

	for (size_t i = 0; i < m->n_extras; i++) {
		const struct mcap_extra *x = &m->extras[i];
		struct mcap_bytes b = { NULL, NULL, x->len };
		struct mcap_record r;
		enum mcap_read read;

		if (x->op != MCAP_METADATA || x->len > left)
			continue;
		left -= (size_t)x->len;
		SLV_TRY(slv_window_view(
		    s->window, x->off, (size_t)x->len, &b.at, err));
		SLV_TRY(mcap_record_get(&b, 0, &r, &read, err));
		if (read != MCAP_WHOLE)
			continue;
		SLV_TRY(add_map(facts, NULL,
		    (struct slv_span){
		        b.at + r.at[MCAP_NAME], (size_t)r.v[MCAP_NAME] },
		    (struct slv_span){
		        b.at + r.at[MCAP_MAP], (size_t)r.v[MCAP_MAP] },
		    err));
	}
	return SLV_OK;
}
