/* silence.c - how long channels have no blocks. */
#include "core/catalog/silence.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"

#define NS   1000000000u
#define BACK 60 /* seconds: more is a clock that was set */

struct one {
	struct slv_moment at;
	uint64_t off;
};

/* The latest blocks, sorted by time. */
struct slv_silence_window {
	struct one at[SLV_SILENCE_LATE];
	size_t n;
};

enum slv_status
slv_silences_init(struct slv_silences *s, size_t n_watches, size_t n_members,
    struct slv_err *err)
{
	*s = (struct slv_silences){
		.at = slv_calloc(n_watches + 1, sizeof(*s->at)),
		.n = n_watches,
		.members = slv_calloc(n_members + 1, sizeof(*s->members)),
		.n_members = n_members,
	};
	if (s->at == NULL || s->members == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < n_watches; i++)
		s->at[i].most = SLV_SILENCE_NEVER;
	return SLV_OK;
}

/* Nanoseconds from a to b, which is not earlier; at most what fits. */
static uint64_t
between(struct slv_moment a, struct slv_moment b)
{
	uint64_t sec = (uint64_t)b.sec - (uint64_t)a.sec;

	if (sec > UINT64_MAX / NS - 1)
		return UINT64_MAX - 1;
	return sec * NS + b.nanos - a.nanos;
}

/* A silence between the two. */
static void
silence(struct slv_silence_watch *w, struct slv_moment from,
    struct slv_moment to, uint64_t off)
{
	uint64_t ns;

	if (!from.known || slv_moment_compare(from, to) >= 0)
		return;
	ns = between(from, to);
	w->over += ns > w->most;
	if (ns > w->longest.ns)
		w->longest = (struct slv_silence){ ns, from, to, off };
}

/* Return true if the clock was set back between the two. */
static bool
is_set_back(struct slv_moment from, struct slv_moment to)
{
	return !__builtin_add_overflow(to.sec, BACK, &to.sec)
	    && slv_moment_compare(from, to) > 0;
}

/* Process the first n blocks of the window, which are in order now. */
static void
settle(struct slv_silence_watch *w, size_t n)
{
	struct slv_silence_window *late = w->window;

	for (size_t i = 0; i < n; i++) {
		/* A block that is too late for sorting ends no silence. */
		if (w->before.known
		    && slv_moment_compare(late->at[i].at, w->before) < 0)
			continue;
		silence(w, w->before, late->at[i].at, w->off);
		w->before = late->at[i].at;
		w->off = late->at[i].off;
	}
	late->n -= n;
	memmove(late->at, late->at + n, late->n * sizeof(*late->at));
}

static void
add(struct slv_silence_watch *w, struct slv_moment at, uint64_t off)
{
	struct slv_silence_window *late = w->window;
	size_t i = late->n;

	/* Earlier blocks belong to another clock. */
	if (i > 0 && is_set_back(late->at[i - 1].at, at)) {
		settle(w, late->n);
		w->before.known = false;
	} else if (i == SLV_SILENCE_LATE) {
		/* Half of it at once, so that the rest is moved rarely. */
		settle(w, SLV_SILENCE_LATE / 2);
	}
	i = late->n;
	while (i > 0 && slv_moment_compare(late->at[i - 1].at, at) > 0)
		i--;
	memmove(
	    &late->at[i + 1], &late->at[i], (late->n - i) * sizeof(*late->at));
	late->at[i] = (struct one){ at, off };
	late->n++;
}

static struct slv_silence_watch *
watch_of(struct slv_silences *s, uint32_t channel)
{
	struct slv_search f = { .high = s->n_members };

	while (slv_search(&f))
		slv_search_on(&f, s->members[f.mid].channel < channel);
	if (f.low == s->n_members || s->members[f.low].channel != channel)
		return NULL;
	return &s->at[s->members[f.low].watch];
}

/* The time of any channel is a time of the log. */
static void
keep_time(struct slv_silences *s, struct slv_moment at)
{
	bool back = s->latest.known && is_set_back(s->latest, at);

	s->set |= back;
	if (!s->set
	    && (!s->first.known || slv_moment_compare(at, s->first) < 0))
		s->first = at;
	if (back || !s->latest.known || slv_moment_compare(at, s->latest) > 0)
		s->latest = at;
}

bool
slv_silences_block(void *silences, const struct slv_block *b)
{
	struct slv_silences *s = silences;
	struct slv_moment at = { b->sec, b->nanos, true };
	struct slv_silence_watch *w;

	if (!b->has_time || !b->has_channel
	    || (strcmp(b->verdict, "kept") != 0
	        && strcmp(b->verdict, "rebuilt") != 0))
		return true;
	keep_time(s, at);
	w = watch_of(s, b->channel);
	if (w == NULL || w->most == SLV_SILENCE_NEVER)
		return true;
	if (w->window == NULL)
		w->window = slv_calloc(1, sizeof(*w->window));
	s->failed |= w->window == NULL;
	if (s->failed)
		return false;
	w->n++;
	if (!w->first.known
	    || (!s->set && slv_moment_compare(at, w->first) < 0))
		w->first = at;
	add(w, at, b->off);
	return true;
}

enum slv_status
slv_silences_end(struct slv_silences *s, struct slv_err *err)
{
	if (s->failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < s->n; i++) {
		struct slv_silence_watch *w = &s->at[i];

		if (w->n == 0)
			continue;
		settle(w, w->window->n);
		silence(w, s->first, w->first, 0);
		silence(w, w->before, s->latest, w->off);
	}
	return SLV_OK;
}

void
slv_silences_free(struct slv_silences *s)
{
	for (size_t i = 0; s->at != NULL && i < s->n; i++)
		slv_free(s->at[i].window);
	slv_free(s->at);
	slv_free(s->members);
	*s = (struct slv_silences){ .n = 0 };
}
