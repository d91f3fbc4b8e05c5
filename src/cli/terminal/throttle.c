/* throttle.c - read no faster than somebody allows. */
#include "cli/terminal/throttle.h"

#include "cli/signals.h"
#include "cli/terminal/clock.h"

#define CREDIT 1.0 /* seconds that were not used and still may be */
#define NAP    0.1 /* seconds; a signal is seen after that */

static double
now(void)
{
	return slv_clock_seconds((struct timespec){ 0 }, slv_clock());
}

/* So much was read: wait until it may have been. */
static void
pay(struct slv_throttle *t, uint64_t bytes)
{
	double at = now(), left;

	if (t->ready < at - CREDIT)
		t->ready = at - CREDIT;
	t->ready += (double)bytes / t->rate;
	while ((left = t->ready - now()) > 0 && slv_signal == 0) {
		double nap = left < NAP ? left : NAP;

		nanosleep(
		    &(struct timespec){ .tv_nsec = (long)(nap * 1e9) }, NULL);
	}
}

static void
progress(void *ctx, const struct slv_progress *p)
{
	struct slv_throttle *t = ctx;
	uint64_t before = p->done < t->done ? 0 : t->done;

	t->done = p->done;
	if (p->phase != SLV_PHASE_WRITE && p->done > before) {
		t->seen += p->done - before;
		pay(t, p->done - before);
	}
	if (t->next != NULL)
		t->next(t->ctx, p);
}

void
slv_throttle_begin(
    struct slv_throttle *t, struct slv_args *args, unsigned processes)
{
	if (args->read_rate == 0)
		return;
	*t = (struct slv_throttle){
		.rate = (double)args->read_rate / processes,
		.ready = now(),
		.next = args->job.on_progress,
		.ctx = args->job.on_progress_ctx,
	};
	args->job.on_progress = progress;
	args->job.on_progress_ctx = t;
	args->throttle = t;
}

void
slv_throttle_file(struct slv_throttle *t, uint64_t size)
{
	if (t == NULL)
		return;
	if (size > t->seen)
		pay(t, size - t->seen);
	t->seen = t->done = 0;
}
