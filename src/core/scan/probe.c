/* probe.c - ask a driver about other bytes, or about the log in another
 * state. */
#include "core/scan/probe.h"

void
slv_probe_open(
    struct slv_probe *p, const struct slv_scan *s, struct slv_source *source)
{
	*p = (struct slv_probe){
		.scan = *s,
		.cache.kinds = s->format->cached,
	};
	p->scan.cache = &p->cache;
	p->scan.along = NULL;
	if (source == NULL)
		return;
	slv_window_init(&p->window, source, s->opt.cancel);
	p->scan.source = source;
	p->scan.window = &p->window;
}

void
slv_probe_close(struct slv_probe *p)
{
	slv_cache_drop(&p->cache);
	slv_window_free(&p->window);
}
