/* tee.c - write the output while the input is still being judged. */
#include "core/plan/tee.h"

enum slv_status
slv_tee_open(struct slv_tee *t, bool *yes, struct slv_err *err)
{
	struct slv_err why = { 0 };
	enum slv_status st;

	if (t->sink != NULL)
		return slv_fail(err, SLV_E_BUG, "an output is begun twice");
	st = t->open(t->ctx, &t->sink, &why);
	*yes = st == SLV_OK;
	return st == SLV_E_NOMEM ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                         : SLV_OK;
}

void
slv_tee_write(struct slv_tee *t, const uint8_t *bytes, size_t n)
{
	struct slv_err err = { 0 };

	if (t->failed)
		return;
	t->failed = t->sink->ops->write(t->sink, bytes, n, &err) != SLV_OK;
	t->n += n;
}

struct slv_sink *
slv_tee_take(struct slv_tee *t, uint64_t n)
{
	struct slv_sink *sink = t->sink;
	struct slv_err err = { 0 };

	if (sink == NULL || t->failed || n > t->n
	    || (n < t->n && sink->ops->cut(sink, n, &err) != SLV_OK)) {
		slv_tee_free(t);
		return NULL;
	}
	t->sink = NULL;
	return sink;
}

void
slv_tee_give(struct slv_tee *t, struct slv_sink *sink, uint64_t n)
{
	t->sink = sink;
	t->n = n;
}

void
slv_tee_free(struct slv_tee *t)
{
	if (t->sink != NULL)
		t->sink->ops->discard(t->sink);
	t->sink = NULL;
}
