/* set.c - options that own what they are set to. */
#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/status.h"
#include "options/option.h"
#include "options/types.h"

const struct slv_options *
slv_options_of(const struct slv_options *options)
{
	static const struct slv_options careful = { 0 };

	return options != NULL ? options : &careful;
}

struct slv_options *
slv_options_new(void)
{
	return slv_calloc(1, sizeof(struct slv_options));
}

/* Free the text that was kept last. */
static void
drop(struct slv_options *options)
{
	struct slv_kept_text *latest = options->texts;

	options->texts = latest->next;
	slv_free(latest);
}

void
slv_options_clear(struct slv_options *options)
{
	while (options->texts != NULL)
		drop(options);
}

/* The next job reads the file of its name. */
static void
end_supply(struct slv_options *options)
{
	const struct slv_supply *s = &options->supply;

	if (s->kind == SLV_SUPPLY_CALL && s->input.close != NULL)
		s->input.close(s->input.ctx);
	options->supply = (struct slv_supply){ .kind = SLV_SUPPLY_NONE };
}

void
slv_options_free(struct slv_options *options)
{
	if (options == NULL)
		return;
	slv_options_clear(options);
	end_supply(options);
	slv_free(options);
}

/* Copy the text, and keep the copy as long as the options. */
static enum slv_status
keep(struct slv_options *options, const char **text, struct slv_err *err)
{
	size_t n = strlen(*text) + 1;
	struct slv_kept_text *copy = slv_calloc(1, sizeof(*copy) + n);

	if (copy == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	memcpy(copy->text, *text, n);
	copy->next = options->texts;
	options->texts = copy;
	*text = copy->text;
	return SLV_OK;
}

enum slv_status
slv_options_set(struct slv_options *options, const char *name,
    const char *value, struct slv_err *err)
{
	const struct slv_option *o = slv_job_option(name);
	const char *must, *shown = value != NULL ? value : "";

	if (o == NULL)
		return slv_fail(
		    err, SLV_E_USAGE, "there is no option \"%s\"", name);
	must = o->argument != NULL ? o->argument : "yes|no";
	if (o->argument != NULL && value == NULL)
		return slv_fail(
		    err, SLV_E_USAGE, "\"%s\" needs a value: %s", name, must);
	if (value != NULL)
		SLV_TRY(keep(options, &value, err));
	if (o->type->store((uint8_t *)options + o->at, value))
		return SLV_OK;
	slv_fail(err, SLV_E_USAGE, "\"%s=%s\" is not valid; use %s=%s", name,
	    shown, name, must);
	if (value != NULL)
		drop(options);
	return err->code;
}

void
slv_options_output_call(
    struct slv_options *options, const struct slv_outlet *outlet)
{
	options->output = "-";
	options->stream = (struct slv_stream){ .outlet = *outlet };
}

void
slv_options_output_fd(struct slv_options *options, int fd)
{
	options->output = "-";
	options->stream = (struct slv_stream){ .has_fd = true, .fd = fd };
}

void
slv_options_input_call(
    struct slv_options *options, const struct slv_input *input)
{
	end_supply(options);
	if (input != NULL)
		options->supply = (struct slv_supply){ .kind = SLV_SUPPLY_CALL,
			.input = *input };
}

void
slv_options_input_fd(struct slv_options *options, int fd)
{
	end_supply(options);
	options->supply =
	    (struct slv_supply){ .kind = SLV_SUPPLY_FD, .fd = fd };
}

void
slv_options_input_memory(
    struct slv_options *options, const void *bytes, size_t n)
{
	end_supply(options);
	options->supply = (struct slv_supply){
		.kind = SLV_SUPPLY_MEMORY, .bytes = bytes, .n = n
	};
}

enum slv_status
slv_options_no_supply(const struct slv_options *options, struct slv_err *err)
{
	if (options->supply.kind == SLV_SUPPLY_NONE)
		return SLV_OK;
	return slv_fail(err, SLV_E_USAGE,
	    "this job reads files by their names; no other input can be set");
}

void
slv_options_on_progress(
    struct slv_options *options, slv_progress_fn on_progress, void *ctx)
{
	options->on_progress = on_progress;
	options->on_progress_ctx = ctx;
}

void
slv_options_on_block(
    struct slv_options *options, slv_block_fn on_block, void *ctx)
{
	options->on_block = on_block;
	options->on_block_ctx = ctx;
}

void
slv_options_cancel(
    struct slv_options *options, const volatile sig_atomic_t *flag)
{
	options->cancel = flag;
}

void
slv_options_policy(struct slv_options *options, const struct slv_policy *policy)
{
	options->policy = policy;
}

void
slv_options_baseline(
    struct slv_options *options, const struct slv_baseline *baseline)
{
	options->baseline = baseline;
}

enum slv_status
slv_options_temp_dir(
    struct slv_options *options, const char *folder, struct slv_err *err)
{
	if (folder != NULL)
		SLV_TRY(keep(options, &folder, err));
	options->temp_dir = folder;
	return SLV_OK;
}
