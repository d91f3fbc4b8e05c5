/* test_crew.c - what is decoded ahead is what would be decoded, in order,
 * whoever does it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/thread.h"
#include "codec/crew.h"
#include "support/check.h"
#include "support/pack.h"
#include "unit/suites.h"

#define JOBS       60
#define MOST       ((size_t)6 << 20)
#define MOST_STACK ((size_t)1 << 20)

/* The k-th stream: of all kinds and sizes, some of them damaged, some longer
 * than they say. */
static struct slv_job
make_job(unsigned k)
{
	struct blob truth = { 0 }, packed = { 0 };
	struct slv_job job = { .max = MOST };

	if (k % 40 == 7)
		blob_fill(&truth, (uint8_t)k, MOST + (k % 80 == 7));
	else
		pack_truth(&truth, k % 4 * 50000 + k, k);
	job.expect = k % 5 == 0 ? 0 : truth.n / (k % 40 == 7 ? 9 : 1);
	if (k % 2 == 0) {
		job.kind = SLV_CODEC_BZ2;
		pack_bz2(&packed, truth.at, truth.n, 1);
	} else {
		job.kind = SLV_CODEC_LZ4;
		pack_lz4(&packed, truth.at, truth.n, (struct pack_lz4){ 0 });
	}
	if (k % 3 == 0)
		packed.at[packed.n * (k % 7) / 7] ^= (uint8_t)(1u << k % 8);
	if (k % 11 == 0)
		packed.n -= packed.n / 3;
	job.in = packed.at;
	job.n = packed.n;
	blob_free(&truth);
	return job;
}

static bool
same(const struct slv_decode *a, const struct slv_decode *b)
{
	if (a->how != b->how || a->used != b->used || a->limited != b->limited
	    || a->n_pieces != b->n_pieces || a->out.len != b->out.len)
		return false;
	for (size_t i = 0; i < a->n_pieces; i++) {
		const struct slv_decoded_piece *p = &a->pieces[i],
		                               *q = &b->pieces[i];

		if (p->out != q->out || p->len != q->len || p->in != q->in
		    || p->in_end != q->in_end || p->at != q->at
		    || p->at_known != q->at_known || p->sure != q->sure
		    || p->firm != q->firm)
			return false;
	}
	return a->out.len == 0 || memcmp(a->out.at, b->out.at, a->out.len) == 0;
}

/* Whether the next to be fetched is what became of the k-th stream. */
static bool
fetches(struct slv_crew *c, unsigned k)
{
	struct slv_job job = make_job(k);
	struct slv_decode got, want;
	bool unread,
	    held = slv_crew_fetch(c, &got, &unread, NULL) == SLV_OK && !unread
	    && slv_decode(
	           job.kind, job.in, job.n, job.expect, job.max, &want, NULL)
	        == SLV_OK
	    && same(&got, &want);

	slv_decode_free(&got);
	slv_decode_free(&want);
	free(job.in);
	return held;
}

/* Submit streams as long as there is room, fetch one, and so on. */
static bool
works(void)
{
	struct slv_crew *c;
	unsigned given = 0, taken = 0;
	bool held = slv_crew_start(&c, NULL) == SLV_OK;

	while (held && taken < JOBS) {
		for (; given < JOBS && !slv_crew_full(c); given++)
			slv_crew_submit(c, make_job(given));
		held &= slv_crew_waiting(c) == given - taken;
		held &= fetches(c, taken++);
	}
	slv_crew_free(c);
	return held;
}

static void
decodes_in_order(void)
{
	CHECK(works());
}

static bool
count(size_t size)
{
	(void)size;
	return true;
}

/* There are no threads while allocations are counted. */
static void
decodes_alone(void)
{
	slv_mem_hook = count;
	CHECK(works());
	slv_mem_hook = NULL;
}

static void *
never(void *ctx)
{
	return ctx;
}

/* In another process, which may not have any more: root may always. */
static void
does_without_threads(void)
{
	const struct rlimit none = { 0, 0 };
	pid_t child;
	int status = -1;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		pthread_t thread;

		if (setrlimit(RLIMIT_NPROC, &none) != 0
		    || (geteuid() == 0 && setuid(65534) != 0)
		    || slv_thread_start(&thread, never, NULL))
			_exit(77);
		_exit(works() ? 0 : 1);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status)
	    && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77));
}

/* What is not wanted any more is forgotten, begun or not. */
static void
forgets(void)
{
	struct slv_crew *c;
	struct slv_decode d;
	struct slv_err err = { 0 };
	bool unread;

	if (!CHECK_OK(slv_crew_start(&c, &err), &err))
		return;
	for (unsigned round = 0; round < 20; round++) {
		for (unsigned k = round; !slv_crew_full(c); k++)
			slv_crew_submit(c, make_job(k));
		if (round % 2 == 0)
			CHECK(fetches(c, round));
		slv_crew_clear(c);
		CHECK_U64(slv_crew_waiting(c), 0);
	}
	CHECK_STATUS(slv_crew_fetch(c, &d, &unread, &err), SLV_E_BUG, &err);
	slv_crew_submit(c, make_job(1));
	slv_crew_free(c);
	slv_crew_free(NULL);
}

/* However much streams claim, no more are under way than memory is for. */
static void
holds_no_more_than_it_may(void)
{
	struct slv_crew *c;
	struct slv_err err = { 0 };
	unsigned n = 0;

	if (!CHECK_OK(slv_crew_start(&c, &err), &err))
		return;
	for (; !slv_crew_full(c); n++) {
		struct slv_job job = make_job(1);

		job.expect = job.max = SIZE_MAX;
		slv_crew_submit(c, job);
	}
	CHECK_U64(n, 1);
	slv_crew_free(c);
}

/* The bytes of the k-th stream; each fourth cannot be read. */
static bool
read_job(int k, uint64_t off, uint8_t *buf, size_t n)
{
	struct slv_job job = make_job((unsigned)k);

	memcpy(buf, job.in + off, n);
	free(job.in);
	return k % 4 != 3;
}

static uint32_t
length_and_end(uint32_t start, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	return start + (uint32_t)n + (n > 0 ? p[n - 1] : 0u) * 257;
}

/* The k-th stream, read and summed where it is decoded, is what it is otherwise. */
static bool
is_read(struct slv_crew *c, unsigned k)
{
	struct slv_job job = make_job(k);
	struct slv_decode got, want;
	bool unread, good;

	good = slv_crew_fetch(c, &got, &unread, NULL) == SLV_OK
	    && unread == (k % 4 == 3)
	    && slv_decode(
	           job.kind, job.in, job.n, job.expect, job.max, &want, NULL)
	        == SLV_OK
	    && (unread ? got.out.len == 0
	               : same(&got, &want) && got.summed
	                && got.sum
	                    == length_and_end(0, want.out.at, want.out.len));
	slv_decode_free(&got);
	slv_decode_free(&want);
	free(job.in);
	return good;
}

static void
reads_and_sums(void)
{
	struct slv_crew *c;
	struct slv_err err = { 0 };
	unsigned given = 0;

	if (!CHECK_OK(slv_crew_start(&c, &err), &err))
		return;
	for (unsigned k = 0; k < JOBS; k++) {
		for (; given < JOBS && !slv_crew_full(c); given++) {
			struct slv_job job = make_job(given);

			free(job.in);
			job.in = NULL;
			job.read = read_job;
			job.fd = (int)given;
			job.sum = length_and_end;
			slv_crew_submit(c, job);
		}
		CHECK(is_read(c, k));
	}
	slv_crew_free(c);
}

static bool
refuse(size_t size)
{
	(void)size;
	return false;
}

static void
tells_of_no_memory(void)
{
	struct slv_crew *c;
	struct slv_decode d;
	struct slv_err err = { 0 };
	bool unread;

	slv_mem_hook = refuse;
	CHECK_STATUS(slv_crew_start(&c, &err), SLV_E_NOMEM, &err);
	slv_crew_free(c);
	slv_mem_hook = count;
	err = (struct slv_err){ 0 };
	CHECK_OK(slv_crew_start(&c, &err), &err);
	slv_crew_submit(c, make_job(2));
	slv_mem_hook = refuse;
	CHECK_STATUS(slv_crew_fetch(c, &d, &unread, &err), SLV_E_NOMEM, &err);
	slv_mem_hook = NULL;
	CHECK(d.out.at == NULL && slv_crew_waiting(c) == 0);
	slv_crew_free(c);
}

static void *
measure(void *bytes)
{
	pthread_attr_t how;

	if (pthread_getattr_np(pthread_self(), &how) == 0) {
		pthread_attr_getstacksize(&how, bytes);
		pthread_attr_destroy(&how);
	}
	return NULL;
}

/* A thread for each of many processors must not take what a job may have. */
static void
takes_little_for_a_thread(void)
{
	pthread_t thread;
	size_t bytes = 0;

	if (!slv_thread_start(&thread, measure, &bytes)) {
		CHECK(false);
		return;
	}
	pthread_join(thread, NULL);
	CHECK(bytes > 0 && bytes <= MOST_STACK);
}

CU_TestInfo crew_tests[] = {
	{ "decodes in order", decodes_in_order },
	{ "decodes alone", decodes_alone },
	{ "does without threads", does_without_threads },
	{ "forgets", forgets },
	{ "reads and sums", reads_and_sums },
	{ "holds no more than it may", holds_no_more_than_it_may },
	{ "tells of no memory", tells_of_no_memory },
	{ "takes little for a thread", takes_little_for_a_thread },
	CU_TEST_INFO_NULL,
};
