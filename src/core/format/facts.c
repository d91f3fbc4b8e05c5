/* facts.c - what a log says about itself. */
#include "core/format/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum slv_status
slv_facts_channel(struct slv_facts *f, uint32_t index, struct slv_channel **out,
    struct slv_err *err)
{
	SLV_TRY(slv_grow(&f->channels, &f->cap_channels, f->n_channels + 1,
	    sizeof(*f->channels), err));
	*out = &f->channels[f->n_channels++];
	**out = (struct slv_channel){ .index = index };
	return SLV_OK;
}

/* Takes over both strings, also on failure. */
static enum slv_status
append(struct slv_annotation **at, size_t *n, size_t *cap, char *key,
    char *value, struct slv_err *err)
{
	enum slv_status st = slv_grow(at, cap, *n + 1, sizeof(**at), err);

	if (st == SLV_OK && (key == NULL || value == NULL))
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st != SLV_OK) {
		slv_free(key);
		slv_free(value);
		return st;
	}
	(*at)[(*n)++] = (struct slv_annotation){ .key = key, .value = value };
	return SLV_OK;
}

enum slv_status
slv_facts_annotation(
    struct slv_facts *f, char *key, char *value, struct slv_err *err)
{
	return append(&f->annotations, &f->n_annotations, &f->cap_annotations,
	    key, value, err);
}

enum slv_status
slv_facts_text(struct slv_facts *f, const char *key, const char *value,
    struct slv_err *err)
{
	return slv_facts_annotation(f, slv_strdup(key), slv_strdup(value), err);
}

enum slv_status
slv_facts_number(
    struct slv_facts *f, const char *key, uint64_t n, struct slv_err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	return slv_facts_text(f, key, text, err);
}

enum slv_status
slv_facts_note(struct slv_facts *f, char *key, char *value, struct slv_err *err)
{
	return append(&f->notes, &f->n_notes, &f->cap_notes, key, value, err);
}

enum slv_status
slv_channel_note(
    struct slv_channel *c, char *key, char *value, struct slv_err *err)
{
	return append(&c->notes, &c->n_notes, &c->cap_notes, key, value, err);
}

void
slv_facts_pack(
    struct slv_facts *f, const char *kind, uint64_t stored, uint64_t size)
{
	size_t i = 0;

	while (i < f->n_packs && strcmp(f->packs[i].kind, kind) != 0)
		i++;
	if (i == SLV_PACKS_MAX)
		return;
	if (i == f->n_packs)
		f->packs[f->n_packs++] = (struct slv_pack){ .kind = kind };
	f->packs[i].pieces++;
	f->packs[i].stored += stored;
	f->packs[i].size += size;
}

double
slv_moment_seconds(struct slv_moment a, struct slv_moment b)
{
	return (double)b.sec - (double)a.sec
	    + ((double)b.nanos - (double)a.nanos) / 1e9;
}

static void
free_all(struct slv_annotation *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		slv_free(at[i].key);
		slv_free(at[i].value);
	}
	slv_free(at);
}

void
slv_facts_free(struct slv_facts *f)
{
	for (size_t i = 0; i < f->n_channels; i++) {
		slv_free(f->channels[i].name);
		slv_free(f->channels[i].type);
		slv_free(f->channels[i].type_sum);
		slv_free(f->channels[i].encoding);
		free_all(f->channels[i].notes, f->channels[i].n_notes);
	}
	free_all(f->annotations, f->n_annotations);
	free_all(f->notes, f->n_notes);
	slv_free(f->channels);
	*f = (struct slv_facts){ 0 };
}
