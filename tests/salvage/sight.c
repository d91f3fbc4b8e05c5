/* sight.c - what can be seen of damage, and what cannot. */
#include "salvage/sight.h"

#include <string.h>

#include "base/search.h"
#include "support/judge.h"

#define DAY   86400 /* seconds; a time further off than that is doubted */
#define SLACK 15    /* zeros that a payload may end with by chance */

size_t
sight_place(const struct sight *s, const struct made_block *b)
{
	return harm_place(s->h, s->o, b->off, b->end);
}

static size_t
head_end(const struct made_block *b)
{
	if (b->kind == MADE_DATA)
		return b->payload;
	return b->kind == MADE_END ? b->end : b->off + 8;
}

/* The block that began at `off` in the original, or NULL. */
static const struct made_block *
block_at(const struct original *o, size_t off)
{
	struct slv_search f = { .high = o->log.n };

	while (slv_search(&f))
		slv_search_on(&f, o->log.blocks[f.mid].off < off);
	return f.low < o->log.n && o->log.blocks[f.low].off == off
	    ? &o->log.blocks[f.low]
	    : NULL;
}

/* Whether original bytes [off, end) stand at `at`. */
static bool
stands(const struct sight *s, size_t off, size_t end, size_t at)
{
	const struct blob *in = &s->h->bytes;

	return at <= in->n && end - off <= in->n - at
	    && memcmp(in->at + at, s->o->log.bytes.at + off, end - off) == 0;
}

/* The block of the original whose head is at `at`, or NULL. */
static const struct made_block *
head_at(const struct sight *s, size_t at)
{
	const struct made_block *b = block_at(s->o, harm_source(s->h, at));

	return b != NULL && b->off < s->h->limit
	        && stands(s, b->off, head_end(b), at)
	    ? b
	    : NULL;
}

/* Whether a block that ends at `at` ends where one did: another follows, or
 * the end of the file, or another log. */
static bool
is_boundary(const struct sight *s, size_t at)
{
	const struct piece *last = &s->h->pieces[s->h->n - 1];

	if (at == s->h->bytes.n)
		return harm_source(s->h, at) == s->h->limit;
	if (last->from == FOREIGN && at == last->at && at == s->h->limit)
		return true;
	return head_at(s, at) != NULL;
}

/* Whether what follows a block that ends at `at` vouches for it: one that was
 * not touched, or does not look like it. */
static bool
is_vouched(const struct sight *s, size_t at)
{
	const struct made_block *next = head_at(s, at);

	if (next == NULL)
		return is_boundary(s, at);
	return stands(s, next->off, next->end, at)
	    || is_boundary(s, at + (next->end - next->off));
}

/* Whether zeros join what ends at `at` to what follows. */
static bool
zeros_join(const struct sight *s, size_t at)
{
	const struct blob *in = &s->h->bytes;

	return at > 0 && at < in->n && in->at[at - 1] == 0 && in->at[at] == 0;
}

bool
sight_suspect(const struct sight *s, const struct made_block *b, size_t at)
{
	size_t end = at + (b->end - b->off);

	if (at == SIZE_MAX)
		return s->h->still && b->payload < b->end
		    && zeros_join(s, b->payload);
	return !is_vouched(s, end) && (!s->index || zeros_join(s, end));
}

/* Whether bytes are a DataDescriptor that might stand in this log, at about
 * the time of another one. */
static bool
fits(const struct sight *s, const uint8_t *bytes, size_t n,
    const struct judged *about)
{
	const struct original *o = s->o;
	struct judged j;
	int64_t apart = 0;

	judge_data(&j, bytes, n);
	if (about != NULL)
		apart = j.message.timestamp.seconds
		    - about->message.timestamp.seconds;
	return j.good && j.message.has_timestamp
	    && j.message.timestamp.nanos >= 0
	    && j.message.timestamp.nanos < 1000000000
	    && j.message.series_index < DECLARED_MAX
	    && o->declared[j.message.series_index]
	    && j.n_extras == o->n_extras[j.message.series_index]
	    && apart >= -DAY && apart <= DAY;
}

/* Whether what is at `at`, at least 12 bytes, looks like the head of a
 * block of data, or as much of one as a power cut leaves. */
static bool
looks_like_head(const struct sight *s, size_t at)
{
	const uint8_t *p = s->h->bytes.at + at;
	size_t rest = s->h->bytes.n - at;
	uint64_t size = 0, head = 0;

	for (int i = 6; i >= 0; i--)
		size = size << 8 | p[i + s->o->type_first];
	for (int i = 11; i >= 8; i--)
		head = head << 8 | p[i];
	if (p[s->o->type_first ? 0 : 7] != s->o->grammar || head > size)
		return false;
	return head > rest - 12 || fits(s, p + 12, (size_t)head, NULL);
}

/* Whether all is zero from `at` on, and at most SLACK bytes before it: a
 * block that happens to end in zeros, in a file that was made long at once. */
static bool
only_zeros_follow(const struct sight *s, size_t at)
{
	const struct blob *in = &s->h->bytes;
	size_t zeros = 0;

	while (zeros < at && in->at[at - 1 - zeros] == 0)
		zeros++;
	while (at < in->n && in->at[at] == 0)
		at++;
	return at == in->n && zeros <= SLACK;
}

/* Whether a block that ends at `at` cannot be told from a whole one.  Less
 * than a head after it is all that a power cut may leave. */
static bool
ends_well(const struct sight *s, size_t at)
{
	if (at > s->h->bytes.n)
		return false;
	if (is_boundary(s, at))
		return true;
	/* The index vouches, unless zeros reach across. */
	if (s->index)
		return s->h->still && block_at(s->o, at) != NULL
		    && !zeros_join(s, at);
	if (!s->digest && only_zeros_follow(s, at))
		return true;
	if (s->h->bytes.n - at < 12)
		return true;
	return !zeros_join(s, at) && looks_like_head(s, at);
}

/* A block with the head of b but another payload, whose head was mended with
 * the help of the index: how far damage reaches from the head into the
 * payload can be seen of zeros only, and where it reaches from head to head.
 */
static bool
tears_behind_head(const struct sight *s, const struct made_block *b)
{
	return s->index && s->h->still && !zeros_join(s, b->payload)
	    && is_boundary(s, b->end);
}

/* The next place after `from` where the head of a block is; SIZE_MAX: at
 * no other.  Before the first, from is SIZE_MAX. */
static size_t
next_head(const struct sight *s, const struct made_block *b, size_t from)
{
	size_t best = SIZE_MAX;

	if (s->h->still && (from == SIZE_MAX || b->off > from)
	    && stands(s, b->off, b->payload, b->off))
		best = b->off;
	for (size_t i = 0; i < s->h->n; i++) {
		const struct piece *p = &s->h->pieces[i];
		size_t at = p->at + (b->off - p->from);

		if (p->from != FOREIGN && b->off >= p->from
		    && b->off < p->from + p->len && at < best
		    && (from == SIZE_MAX || at > from)
		    && stands(s, b->off, b->payload, at))
			best = at;
	}
	return best;
}

bool
sight_hides_tear(const struct sight *s, const struct made_block *b)
{
	size_t len = b->end - b->off, at = SIZE_MAX;
	bool any = false;

	while ((at = next_head(s, b, at)) != SIZE_MAX) {
		if (ends_well(s, at + len))
			return true;
		any = true;
	}
	return !any && tears_behind_head(s, b);
}

bool
sight_buries(const struct sight *s, size_t at)
{
	for (size_t i = 0; i < s->o->log.n; i++) {
		const struct made_block *b = &s->o->log.blocks[i];
		size_t head = SIZE_MAX;

		if (b->kind != MADE_DATA)
			continue;
		while ((head = next_head(s, b, head)) != SIZE_MAX) {
			size_t end = head + (b->end - b->off);

			if (head < at && at < end && ends_well(s, end))
				return true;
		}
	}
	return false;
}

bool
sight_hides_change(const struct sight *s, const struct made_block *b,
    const uint8_t *bytes, size_t n)
{
	const uint8_t *old = s->o->log.bytes.at + b->off;
	size_t len = b->payload - b->off - 12;
	struct judged was;

	if (s->index || s->digest || !s->h->still || b->end - b->off != n
	    || memcmp(old, bytes, 12) != 0
	    || (memcmp(old + 12 + len, bytes + 12 + len, n - 12 - len) != 0
	        && !ends_well(s, b->end)))
		return false;
	judge_data(&was, old + 12, len);
	return fits(s, bytes + 12, len, &was);
}

struct sight
sight_of(const struct original *o, const struct harmed *h)
{
	struct sight s = { .o = o, .h = h, .index = true };

	for (size_t i = 0; i < o->log.n; i++) {
		const struct made_block *b = &o->log.blocks[i];
		bool there =
		    b->end <= h->limit && sight_place(&s, b) != SIZE_MAX;

		if (b->kind == MADE_INDEX || b->kind == MADE_FILE_INDEX)
			s.index &= there;
		if (b->kind == MADE_END)
			s.digest = o->sha1 && there;
	}
	return s;
}
