/* plots.h - what another user may put in the place of what is beside a log. */
#ifndef TESTS_FAULTS_PLOTS_H
#define TESTS_FAULTS_PLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "salvor.h"

#define PEEP "" /* in no place; the other user looks at his FIFOs */

enum act { REPAIR, TO_FIFO, IN_PLACE, UNDO, DISCARD, LOOK };

struct trial {
	const char *name;
	enum act act;
	void (*prepare)(bool other); /* ends as the other user */
	bool other;
	const char *place; /* in which the other user puts "theirs/x"; NULL: all
	                    * is where it is from the start */
	void (*judge)(enum slv_status, const struct slv_report *);
	const char *log; /* NULL: that of most */
};

extern const struct trial trials[];
extern const size_t n_trials;

/* The same of other logs beside one, by plots_logs.c. */
extern const struct trial log_trials[];
extern const size_t n_log_trials;

/* Make what the victim and the other user have. */
void plots_open(void);
void plots_close(void);
void plots_logs_open(void);
void plots_logs_close(void);

/* Do what a trial is about. */
enum slv_status plots_run(const struct trial *, struct slv_report **out);

/* See whether somebody has a FIFO of the other user open. */
void plots_peep(void);

#endif
