/* tally.c - the part of the totals in a JSON report. */
#include "batch/journal/tally.h"

#include <string.h>

#include "report/json/json_object.h"

const char *const slv_byte_names[SLV_BYTES] = { "kept", "rebuilt", "lost",
	"filler", "foreign" };

/* What is less than nothing would hide what other files lack. */
static uint64_t
number(json_t *o, const char *key)
{
	json_int_t n = json_integer_value(json_object_get(o, key));

	return n > 0 ? (uint64_t)n : 0;
}

static bool
state_of(json_t *report, enum slv_state *out)
{
	const char *name = json_string_value(json_object_get(report, "state"));
	const char *type = json_string_value(json_object_get(report, "type"));

	*out = SLV_STATE_FAILED;
	if (type != NULL && strcmp(type, "error") == 0)
		return true;

	for (int i = 0; name != NULL && i < SLV_STATES; i++) {
		*out = (enum slv_state)i;
		if (strcmp(name, slv_state_name(*out)) == 0)
			return true;
	}
	return false;
}

static bool
is_failed(json_t *report)
{
	const char *policy =
	    json_string_value(json_object_get(report, "policy"));

	return policy != NULL && strcmp(policy, "fail") == 0;
}

/* The verdict of a baseline; SLV_BASELINE_NONE: not requested. */
static enum slv_baseline_verdict
baseline_of(json_t *report)
{
	const char *name = json_string_value(
	    json_object_get(json_object_get(report, "baseline"), "state"));

	for (int i = 0; name != NULL && i < SLV_BASELINES; i++) {
		if (strcmp(
		        name, slv_baseline_name((enum slv_baseline_verdict)i))
		    == 0)
			return (enum slv_baseline_verdict)i;
	}
	return SLV_BASELINE_NONE;
}

static void
add_output(struct slv_totals *t, json_t *output)
{
	const char *how = json_string_value(json_object_get(output, "outcome"));

	if (how == NULL
	    || (strcmp(how, "written") != 0 && strcmp(how, "already") != 0))
		return;
	t->outputs++;
	t->output_size += number(output, "size");
}

bool
slv_tally(json_t *report, struct slv_totals *t, enum slv_state *state)
{
	json_t *bytes = json_object_get(report, "bytes");

	if (!state_of(report, state))
		return false;
	t->files++;
	t->states[*state]++;
	t->failures += *state == SLV_STATE_FAILED
	    || json_is_object(json_object_get(report, "error"));
	t->size += number(report, "size");
	for (int i = 0; i < SLV_BYTES; i++)
		t->bytes[i] += number(bytes, slv_byte_names[i]);
	t->unsure += number(json_object_get(report, "blocks"), "unsure");
	t->problems += number(report, "problems_total");
	t->policy_failed += is_failed(report);
	t->baseline[baseline_of(report)]++;
	add_output(t, json_object_get(report, "output"));
	return true;
}
