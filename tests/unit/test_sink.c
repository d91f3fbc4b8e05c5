/* test_sink.c - bytes out: descriptors, devices, memory. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "io/sys.h"
#include "io/write/sink.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

static void
to_memory(void)
{
	struct slv_buf buf = { 0 };
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };

	if (!CHECK_OK(slv_sink_memory(&buf, &s, &err), &err))
		return;
	CHECK_OK(s->ops->write(s, "abc", 3, &err), &err);
	CHECK_OK(s->ops->write(s, "", 0, &err), &err);
	CHECK_OK(s->ops->write(s, "de", 2, &err), &err);
	CHECK(s->ops->reread == NULL);
	CHECK_OK(s->ops->commit(s, &err), &err);
	CHECK_BYTES(buf.at, buf.len, "abcde", 5);
	CHECK_OK(slv_sink_memory(&buf, &s, &err), &err);
	s->ops->discard(s);
	slv_buf_free(&buf);
}

static void
to_a_descriptor(void)
{
	int fd = open(scratch_path("out"), O_WRONLY | O_CREAT, 0600);
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };

	if (!CHECK_OK(slv_sink_fd(fd, "out", &s, &err), &err))
		return;
	CHECK_OK(s->ops->write(s, "abc", 3, &err), &err);
	CHECK_OK(s->ops->commit(s, &err), &err);
	/* It is borrowed: still open. */
	CHECK(write(fd, "d", 1) == 1);
	CHECK(close(fd) == 0);
	CHECK(scratch_holds("out", "abcd", 4));
	scratch_clean();
}

static void
in_small_pieces(void)
{
	struct fake_plan plan = { .k = 1, .onward = true, .os = EINTR };

	plan.calls = FAKE_BIT(FAKE_WRITE);
	for (int i = 0; i < 2; i++) {
		struct slv_err err = { 0 };
		int fd = open(
		    scratch_path("out"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

		plan.how = i == 0 ? FAKE_SHORT : FAKE_ERRNO;
		fake_on(&plan);
		CHECK_OK(
		    slv_write_all(fd, "out", "0123456789", 10, &err), &err);
		fake_off(NULL);
		CHECK(close(fd) == 0);
		CHECK(scratch_holds("out", "0123456789", 10));
	}
	scratch_clean();
}

static ssize_t
write_nothing(int fd, const void *buf, size_t n)
{
	(void)fd;
	(void)buf;
	(void)n;
	return 0;
}

static void
a_write_that_does_nothing(void)
{
	struct slv_err err = { 0 };
	struct slv_sys real = slv_sys;

	slv_sys.write = write_nothing;
	CHECK_STATUS(slv_write_all(1, "out", "x", 1, &err), SLV_E_IO, &err);
	slv_sys = real;
}

static void
a_full_device(void)
{
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };

	CHECK_STATUS(slv_sink_device(scratch_path("none"), NULL, &s, &err),
	    SLV_E_IO, &err);
	err = (struct slv_err){ 0 };
	if (access("/dev/full", W_OK) != 0)
		return;
	if (!CHECK_OK(slv_sink_device("/dev/full", NULL, &s, &err), &err))
		return;
	CHECK_STATUS(s->ops->write(s, "x", 1, &err), SLV_E_IO, &err);
	CHECK_I64(err.os, ENOSPC);
	CHECK(strstr(err.text, "/dev/full") != NULL);
	s->ops->discard(s);
}

CU_TestInfo sink_tests[] = {
	{ "to memory", to_memory },
	{ "to a descriptor", to_a_descriptor },
	{ "in small pieces", in_small_pieces },
	{ "a write that does nothing", a_write_that_does_nothing },
	{ "a full device", a_full_device },
	CU_TEST_INFO_NULL,
};
