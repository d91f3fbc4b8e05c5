/* started.c - a command of the user's that runs beside a sandbox. */
#include "batch/helper/started.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"

#define GRACE 1000 /* ms for it to end by itself, and then by SIGTERM */
#define TICK  10   /* ms between two looks */

enum { ASK, ANSWER, LIFE, PIPES };

/* In the child of a child: become the command. */
_Noreturn static void
become(const char *command, const char *word, int in, int out)
{
	struct slv_buf words = { 0 };
	char *text;

	slv_buf_printf(&words, "%s \"$@\"", command);
	text = slv_buf_take(&words);
	signal(SIGPIPE, SIG_DFL);
	setpgid(0, 0);
	if (text != NULL && dup2(in, STDIN_FILENO) >= 0
	    && dup2(out, STDOUT_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", text, "sh", word, (char *)NULL);
	_exit(127);
}

/* Wait until the group of the command is empty. */
static bool
ends_within(pid_t group, int ms)
{
	for (; ms > 0; ms -= TICK) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (kill(-group, 0) < 0)
			return true;
		(void)poll(NULL, 0, TICK);
	}
	return false;
}

/* In the child: start the command in another child, and end it when this program
 * has ended or needs it no longer. */
_Noreturn static void
watch(const char *command, const char *word, int ends[PIPES][2])
{
	pid_t group = fork();
	char byte;

	if (group == 0)
		become(command, word, ends[ASK][0], ends[ANSWER][1]);
	setpgid(group, group);
	for (int i = 0; i < PIPES; i++) {
		close(ends[i][1]);
		if (i != LIFE)
			close(ends[i][0]);
	}
	/* Signals of a terminal are for the main process: its end ends
	 * all. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (read(ends[LIFE][0], &byte, 1) < 0 && errno == EINTR)
		;
	if (group > 0 && !ends_within(group, GRACE)) {
		kill(-group, SIGTERM);
		if (!ends_within(group, GRACE))
			kill(-group, SIGKILL);
	}
	_exit(0);
}

static void
close_both(int ends[2])
{
	if (ends[0] >= 0)
		close(ends[0]);
	if (ends[1] >= 0)
		close(ends[1]);
}

enum slv_status
slv_started_open(struct slv_started *s, const char *command, const char *word,
    struct slv_err *err)
{
	int ends[PIPES][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
	bool good = true;
	pid_t pid = -1;

	for (int i = 0; i < PIPES && good; i++)
		good = pipe2(ends[i], O_CLOEXEC) == 0;
	if (good)
		pid = fork();
	if (pid == 0)
		watch(command, word, ends);
	if (pid < 0) {
		slv_fail_errno(err, "--read-helper");
		for (int i = 0; i < PIPES; i++)
			close_both(ends[i]);
		return err->code;
	}
	close(ends[ASK][0]);
	close(ends[ANSWER][1]);
	close(ends[LIFE][0]);
	*s = (struct slv_started){ ends[ASK][1], ends[ANSWER][0],
		ends[LIFE][1] };
	return SLV_OK;
}

void
slv_started_close(struct slv_started *s)
{
	int all[] = { s->ask, s->answer, s->life };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i] >= 0)
			close(all[i]);
	}
	*s = (struct slv_started)SLV_STARTED_NONE;
}
