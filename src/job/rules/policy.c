/* policy.c - the rules that a log must keep, as the caller gave them. */
#include "job/rules/policy.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/hex.h"
#include "digest/digest.h"
#include "io/read/slurp.h"

#define BLANKS    " \t\r\n"
#define DIGITS    "0123456789"
#define LONGEST   0x1p63            /* nanoseconds, and not as long */
#define PLACES    9                 /* after the point; more are skipped */
#define FILE_MOST ((size_t)1 << 20) /* bytes */

/* A number with at most PLACES digits after a point, in 10^-PLACES; false:
 * there is none, or it is larger than 10^9.  *rest is the text after it. */
static bool
decimal(const char *text, uint64_t *out, const char **rest)
{
	size_t whole = strspn(text, DIGITS), places = 0;
	const char *at = text + whole;

	if (whole == 0 || whole > 9)
		return false;
	*out = strtoull(text, NULL, 10);
	if (*at == '.') {
		places = strspn(++at, DIGITS);
		if (places == 0)
			return false;
	}
	for (size_t i = 0; i < PLACES; i++)
		*out = *out * 10 + (i < places ? (uint64_t)(at[i] - '0') : 0);
	*rest = at + places;
	return true;
}

/* 2s, 500ms, 1.5m, 1h; without a unit: seconds. */
static bool
duration(struct slv_rule *r, const char *text)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "", 1 }, { "ms", 0.001 }, { "s", 1 }, { "m", 60 },
		{ "h", 3600 } };
	uint64_t n;
	const char *unit;

	if (!decimal(text, &n, &unit))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		double most = (double)n * units[i].seconds + 0.5;

		if (strcmp(units[i].name, unit) == 0 && most < LONGEST)
			r->most = (uint64_t)most;
	}
	return r->most > 0;
}

/* 10, 0.5, 10Hz */
static bool
rate(struct slv_rule *r, const char *text)
{
	uint64_t n;
	const char *unit;

	if (!decimal(text, &n, &unit)
	    || (*unit != '\0' && strcmp(unit, "Hz") != 0))
		return false;
	r->least = (double)n / 1e9;
	return n > 0;
}

/* 0.1%, or bytes: 4096, 4K, 1M, 1G */
static bool
loss(struct slv_rule *r, const char *text)
{
	static const char units[] = "KMG";
	const char *unit, *which;
	uint64_t n;

	if (!decimal(text, &n, &unit))
		return false;
	r->parts = strcmp(unit, "%") == 0;
	r->percent = (double)n / 1e9;
	if (r->parts)
		return r->percent <= 100;
	r->most = n / 1000000000;
	if (n % 1000000000 != 0 || *unit == '\0')
		return *unit == '\0' && n % 1000000000 == 0;
	which = strchr(units, *unit);
	if (which == NULL || unit[1] != '\0')
		return false;
	r->most <<= 10 * (which - units + 1);
	return true;
}

/* The form of a kind of rule. */
static const struct form {
	const char *name;
	bool (*value)(struct slv_rule *, const char *);
	bool named, all; /* a channel is allowed; it may be omitted */
	const char *example;
} forms[] = {
	[SLV_RULE_MAX_GAP] = { "max-gap", duration, true, true,
	    "max-gap=2s or max-gap=CHANNEL=500ms" },
	[SLV_RULE_MAX_LOST] = { "max-lost", loss, false, true,
	    "max-lost=0.1% or max-lost=BYTES" },
	[SLV_RULE_MIN_RATE] = { "min-rate", rate, true, false,
	    "min-rate=CHANNEL=10" },
	[SLV_RULE_REQUIRE] = { "require", NULL, true, false,
	    "require=CHANNEL" },
};

/* CHANNEL=VALUE, or VALUE for every channel. */
static bool
read_value(struct slv_rule *r, const struct form *f, const char *value)
{
	const char *last =
	    f->value != NULL && f->named ? strrchr(value, '=') : NULL;
	size_t n = last != NULL ? (size_t)(last - value)
	    : f->value == NULL  ? strlen(value)
	                        : 0;

	if (f->named && n > 0) {
		r->channel = slv_strdup(value);
		if (r->channel != NULL)
			r->channel[n] = '\0';
	}
	/* There is a name, but no memory for it. */
	if (f->value == NULL || (n > 0 && r->channel == NULL))
		return n > 0;
	if ((n == 0 && !f->all) || last == value)
		return false;
	value = last != NULL ? last + 1 : value;
	r->none = f->named && strcmp(value, "none") == 0;
	return r->none || f->value(r, value);
}

static void
release(struct slv_rule *r)
{
	slv_free(r->text);
	slv_free(r->channel);
}

enum slv_status
slv_policy_add(struct slv_policy **policy, const char *name, const char *value,
    struct slv_err *err)
{
	struct slv_policy *p = *policy;
	struct slv_buf text = { 0 };
	struct slv_rule r = { .none = false };
	size_t kind = 0;

	while (kind < sizeof(forms) / sizeof(*forms)
	    && strcmp(forms[kind].name, name) != 0)
		kind++;
	if (kind == sizeof(forms) / sizeof(*forms))
		return slv_fail(err, SLV_E_USAGE,
		    "\"%s\" is no rule; there are max-gap, max-lost, "
		    "min-rate and require",
		    name);
	if (p == NULL)
		p = *policy = slv_calloc(1, sizeof(*p));
	if (p == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(slv_grow(&p->at, &p->cap, p->n + 1, sizeof(*p->at), err));
	r.kind = (enum slv_rule_kind)kind;
	if (!read_value(&r, &forms[kind], value)) {
		release(&r);
		return slv_fail(err, SLV_E_USAGE,
		    "\"%s=%s\" is not valid; use %s", name, value,
		    forms[kind].example);
	}
	slv_buf_printf(&text, "%s=%s", name, value);
	r.text = slv_buf_take(&text);
	if (r.text == NULL
	    || (forms[kind].named && !forms[kind].all && r.channel == NULL)) {
		release(&r);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	p->at[p->n++] = r;
	return SLV_OK;
}

/* A line without its comment and the blanks at its ends. */
static char *
bare(char *line)
{
	char *at = line + strspn(line, BLANKS), *end;

	for (char *hash = strchr(at, '#'); hash != NULL;
	     hash = strchr(hash + 1, '#')) {
		if (hash == at || strchr(BLANKS, hash[-1]) != NULL) {
			*hash = '\0';
			break;
		}
	}
	end = at + strlen(at);
	while (end > at && strchr(BLANKS, end[-1]) != NULL)
		end--;
	*end = '\0';
	return at;
}

/* "max-gap=2s"; blanks are accepted in place of the first "=". */
static enum slv_status
add_line(struct slv_policy **policy, char *line, struct slv_err *err)
{
	char *rule = bare(line);
	char *value = rule + strcspn(rule, "=" BLANKS);

	if (*rule == '\0')
		return SLV_OK;
	if (*value != '\0') {
		char *after = value + strspn(value, BLANKS);

		after += *after == '=';
		after += strspn(after, BLANKS);
		*value = '\0';
		value = after;
	}
	return slv_policy_add(policy, rule, value, err);
}

/* The text is changed. */
static enum slv_status
read_rules(struct slv_policy **policy, char *text, const char *file,
    struct slv_err *err)
{
	struct slv_err why = { 0 };
	unsigned long nth = 1;

	for (char *line = text, *end; line != NULL; line = end, nth++) {
		end = strchr(line, '\n');
		if (end != NULL)
			*end++ = '\0';
		if (add_line(policy, line, &why) != SLV_OK)
			return slv_fail(
			    err, why.code, "%s:%lu: %s", file, nth, why.text);
	}
	return SLV_OK;
}

enum slv_status
slv_policy_read(struct slv_policy **policy, const char *file,
    const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	const struct slv_slurp how = {
		.what = "a list of rules",
		.most = FILE_MOST,
		.cancel = cancel,
	};
	struct slv_buf buf = { 0 };
	enum slv_status st = slv_slurp_path(file, &how, &buf, err);
	char *text;

	if (st == SLV_OK && buf.len > 0
	    && memchr(buf.at, '\0', buf.len) != NULL)
		st = slv_fail(err, SLV_E_USAGE, "%s: is no text", file);
	text = slv_buf_take(&buf);
	if (st == SLV_OK && text == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK)
		st = read_rules(policy, text, file, err);
	slv_free(text);
	return st;
}

void
slv_policy_free(struct slv_policy *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->n; i++)
		release(&p->at[i]);
	slv_free(p->at);
	slv_free(p);
}

char *
slv_policy_id(const struct slv_policy *p)
{
	struct slv_digest d;
	uint8_t sum[SLV_DIGEST_MAX];
	char text[SLV_HEX(8)];

	slv_digest_init(&d, SLV_SHA1);
	for (size_t i = 0; i < p->n; i++)
		slv_digest_add(&d, p->at[i].text, strlen(p->at[i].text) + 1);
	slv_digest_get(&d, sum);
	slv_hex(text, sum, 8);
	return slv_strdup(text);
}

bool
slv_rule_names(const struct slv_rule *r, const char *channel)
{
	return r->channel == NULL || strcmp(r->channel, channel) == 0
	    || fnmatch(r->channel, channel, 0) == 0;
}

bool
slv_rule_is_exact(const struct slv_rule *r)
{
	return r->channel != NULL && strpbrk(r->channel, "*?[\\") == NULL;
}

const struct slv_rule *
slv_policy_rule(
    const struct slv_policy *p, enum slv_rule_kind kind, const char *channel)
{
	const struct slv_rule *of_all = NULL;

	for (size_t i = p->n; i-- > 0;) {
		const struct slv_rule *r = &p->at[i];

		if (r->kind != kind
		    || (channel != NULL && !slv_rule_names(r, channel)))
			continue;
		if (r->channel != NULL)
			return r;
		of_all = of_all != NULL ? of_all : r;
	}
	return of_all;
}

bool
slv_policy_needs_index_only(const struct slv_policy *p)
{
	for (size_t i = 0; i < p->n; i++) {
		if (p->at[i].kind != SLV_RULE_REQUIRE)
			return false;
	}
	return true;
}
