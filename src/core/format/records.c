/* records.c - what the channels of a log are, for readers of records. */
#include "core/format/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum slv_status
slv_channel_text(char **text, struct slv_span from, struct slv_err *err)
{
	char *copy = slv_realloc(NULL, from.len + 1);

	if (copy == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (from.len > 0)
		memcpy(copy, from.at, from.len);
	copy[from.len] = '\0';
	slv_free(*text);
	*text = copy;
	return SLV_OK;
}

enum slv_status
slv_channel_list_add(struct slv_channel_list *list, uint32_t index,
    struct slv_channel_about **out, struct slv_err *err)
{
	const struct slv_span none = { (const uint8_t *)"", 0 };
	struct slv_channel_about *c;

	SLV_TRY(slv_grow(
	    &list->at, &list->cap, list->n + 1, sizeof(*list->at), err));
	c = &list->at[list->n++];
	*c = (struct slv_channel_about){ .index = index };
	*out = c;
	SLV_TRY(slv_channel_text(&c->encoding, none, err));
	return slv_channel_text(&c->schema_encoding, none, err);
}

enum slv_status
slv_channel_schema(
    struct slv_channel_about *c, struct slv_span from, struct slv_err *err)
{
	SLV_TRY(slv_channel_text(&c->own, from, err));
	slv_channel_share(
	    c, (struct slv_span){ (const uint8_t *)c->own, from.len });
	return SLV_OK;
}

enum slv_status
slv_channel_meta(struct slv_channel_about *c, struct slv_span key,
    struct slv_span value, struct slv_err *err)
{
	struct slv_annotation *m;

	SLV_TRY(slv_grow(
	    &c->meta, &c->cap_meta, c->n_meta + 1, sizeof(*c->meta), err));
	m = &c->meta[c->n_meta++];
	*m = (struct slv_annotation){ NULL, NULL };
	SLV_TRY(slv_channel_text(&m->key, key, err));
	return slv_channel_text(&m->value, value, err);
}

static void
free_channel(struct slv_channel_about *c)
{
	slv_free(c->encoding);
	slv_free(c->schema_encoding);
	slv_free(c->own);
	for (size_t i = 0; i < c->n_meta; i++) {
		slv_free(c->meta[i].key);
		slv_free(c->meta[i].value);
	}
	slv_free(c->meta);
}

void
slv_channel_list_free(struct slv_channel_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free_channel(&list->at[i]);
	slv_free(list->at);
	*list = (struct slv_channel_list){ NULL, 0, 0 };
}
