/* dataflash_usual.c - replace lost formats that all versions have in common.
 *
 * Parameters and texts are recognised by their content: a name or a text, padded with NUL,
 * and the next message after exactly the usual length.  Type numbers differ between
 * versions: a type is recognised only if almost all of its messages look like this.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/dataflash/dataflash_state.h"
#include "support/seek.h"

#define SEARCH   ((uint64_t)8 << 20) /* bytes that are searched */
#define LEAST    3  /* messages that are enough to recognise a type */
#define FEW      20 /* one message of so many may look different */
#define TIME_MAX ((uint64_t)1 << 42) /* us since the boot */

static const struct usual {
	const char *name, *letters, *columns;
	uint8_t length, text, size;
} usual[] = {
	{ "PARM", "QNff", "TimeUS,Name,Value,Default", 35, 11, 16 },
	{ "PARM", "QNf", "TimeUS,Name,Value", 31, 11, 16 },
	{ "PARM", "Nf", "Name,Value", 23, 3, 16 },
	{ "MSG", "QZ", "TimeUS,Message", 75, 11, 64 },
	{ "MSG", "Z", "Message", 67, 3, 64 },
};
#define USUAL (sizeof(usual) / sizeof(*usual))

/* How many messages of each type look like each usual format. */
struct survey {
	uint32_t all[DATAFLASH_TYPES], like[DATAFLASH_TYPES][USUAL];
};

static bool
is_upper(uint8_t c)
{
	return (uint8_t)(c - 'A') < 26 || (uint8_t)(c - '0') < 10 || c == '_';
}

/* Whether the message at p, in n readable bytes, looks like the usual format. */
static bool
is_like(const struct usual *u, const uint8_t *p, size_t n)
{
	const struct slv_span text = dataflash_text(p + u->text, u->size);

	if (n < u->length + 2u || !dataflash_is_head(p + u->length)
	    || text.len == 0
	    || (u->text > DATAFLASH_HEAD
	        && slv_get_le64(p + DATAFLASH_HEAD) > TIME_MAX))
		return false;
	for (size_t i = 0; i < u->size; i++) {
		uint8_t c = p[u->text + i];

		if (i >= text.len       ? c != 0
		        : u->size == 16 ? !is_upper(c)
		                        : c < ' ' || c > '~')
			return false;
	}
	return true;
}

static enum slv_status
look_around(const struct slv_scan *s, struct survey *x, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, SEARCH);

	for (uint64_t at = s->base; at < to; at++) {
		uint8_t p[DATAFLASH_LONGEST + 9];
		size_t n;

		SLV_TRY(slv_seek(
		    s, at, to, DATAFLASH_MAGIC, DATAFLASH_HEAD - 1, &at, err));
		if (at >= to)
			break;
		SLV_TRY(dataflash_peek(s, at, p, sizeof(p), &n, err));
		if (p[2] == DATAFLASH_FMT)
			continue;
		x->all[p[2]]++;
		for (size_t i = 0; i < USUAL; i++)
			x->like[p[2]][i] += is_like(&usual[i], p, n);
	}
	return SLV_OK;
}

/* The type of most messages that look like usual format i; 0: none. */
static unsigned
most(const struct survey *x, size_t i)
{
	unsigned best = 0;

	for (unsigned t = 1; t < DATAFLASH_TYPES; t++) {
		uint32_t like = x->like[t][i];

		if (like >= LEAST && (x->all[t] - like) * FEW <= x->all[t]
		    && like > x->like[best][i])
			best = t;
	}
	return best;
}

static void
assume(struct dataflash_type *t, unsigned type, const struct usual *u)
{
	uint8_t fmt[DATAFLASH_FMT_SIZE] = DATAFLASH_MAGIC;

	fmt[DATAFLASH_FMT_TYPE] = (uint8_t)type;
	fmt[DATAFLASH_FMT_LENGTH] = u->length;
	memcpy(fmt + DATAFLASH_FMT_NAME, u->name, strlen(u->name));
	memcpy(fmt + DATAFLASH_FMT_LETTERS, u->letters, strlen(u->letters));
	memcpy(fmt + DATAFLASH_FMT_COLUMNS, u->columns, strlen(u->columns));
	dataflash_type_set(t, fmt);
	t->lent = true;
	t->assumed = true;
}

enum slv_status
dataflash_assume(struct slv_scan *s, bool *any, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	struct survey *x;
	enum slv_status st;

	*any = false;
	SLV_TRY(slv_new(&x, 1, sizeof(*x), err));
	st = look_around(s, x, err);
	for (size_t i = 0; st == SLV_OK && i < USUAL; i++) {
		unsigned type = most(x, i);

		if (type == 0 || m->types[type].lent)
			continue;
		assume(&m->types[type], type, &usual[i]);
		*any = true;
	}
	slv_free(x);
	return st;
}
