/* set_file.h - one segment of a recording; shared by sets.c and seams.c. */
#ifndef SLV_BATCH_SET_FILE_H
#define SLV_BATCH_SET_FILE_H

#include "batch/find/sets.h"
#include "report/json/json_object.h"

/* All channels with one name. */
struct slv_set_channel {
	char *name, *type; /* owned */
	uint64_t messages;
	struct slv_moment first, last;
};

struct slv_set_file {
	char *path; /* owned */
	struct slv_segment_name name;
	char format[16];                  /* "": it could not be judged */
	bool no_log;                      /* or it is not a log, for example
					   * empty */
	struct slv_moment first, last;    /* of all messages */
	struct slv_set_channel *channels; /* owned; sorted by name */
	size_t n_channels, cap_channels;
};

/* seams.c - compare n segments of one set, in order: the findings as JSON, and
 * each as a line of text. */
json_t *slv_seams_judge(const struct slv_problem_info *const *rows,
    const struct slv_set_file *, size_t n, struct slv_buf *text);

#endif
