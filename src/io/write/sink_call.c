/* sink_call.c - bytes out, to a function of the caller. */
#include <errno.h>

#include "base/mem.h"
#include "io/write/sink.h"

struct call_sink {
	struct slv_sink base;
	struct slv_outlet to;
};

static enum slv_status
call_write(struct slv_sink *s, const void *bytes, size_t n, struct slv_err *err)
{
	struct call_sink *c = (struct call_sink *)s;
	int os = c->to.write(c->to.ctx, bytes, n);

	if (os != 0) {
		errno = os;
		return slv_fail_errno(err, "(output): cannot write");
	}
	s->n += n;
	return SLV_OK;
}

static const struct slv_sink_ops call_ops = {
	.write = call_write,
	.commit = slv_sink_free_commit,
	.discard = slv_sink_free_discard,
};

enum slv_status
slv_sink_call(
    const struct slv_outlet *to, struct slv_sink **out, struct slv_err *err)
{
	struct call_sink *c = slv_calloc(1, sizeof(*c));

	if (c == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	c->base.ops = &call_ops;
	c->to = *to;
	*out = &c->base;
	return SLV_OK;
}
