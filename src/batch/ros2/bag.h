/* bag.h - a bag of ROS 2: a folder of MCAP files, and metadata.yaml, which says
 * what is in them.
 *
 *	slv_bag_is() -> slv_bag_open() -> a job for each file, slv_bag_add()
 *	-> slv_bag_judge() -> slv_bag_tell(), slv_bag_make()
 *
 * The jobs judge the files; here metadata.yaml is compared with what they
 * found.  Facts: docs/formats/ros2-bag.md.
 */
#ifndef SLV_BATCH_BAG_H
#define SLV_BATCH_BAG_H

#include "batch/ros2/yaml.h"
#include "salvor.h"

#define SLV_BAG_METADATA "metadata.yaml"
#define SLV_BAG_ROOT     "rosbag2_bagfile_information"
#define SLV_BAG_OLDEST   4 /* versions of metadata.yaml that are known */
#define SLV_BAG_NEWEST   9
#define SLV_BAG_NEVER    ((uint64_t)INT64_MAX) /* time of no message */

/* Nanoseconds since 1970; meaningless without messages. */
struct slv_bag_span {
	uint64_t messages, first, last;
};

/* A file of the bag. */
struct slv_bag_file {
	char *path;       /* owned; as it is opened */
	const char *name; /* in the folder */
	char *output;     /* owned; its path after a repair; NULL: the same */
	bool there;       /* false: only metadata.yaml names it */
	bool named;       /* metadata.yaml names it */
	bool read;        /* its messages were read, as far as they are there */
	struct slv_bag_span span;
};

/* What a channel of a file says of a topic, and once the bag is judged what all
 * files say; all strings are owned, and "" where no file says it. */
struct slv_bag_topic {
	size_t order; /* of the channels */
	char *name, *type, *encoding, *qos, *hash;
	bool mixed; /* files differ in its type or encoding */
	uint64_t messages;
};

enum slv_bag_row {
	SLV_BAG_COUNT,
	SLV_BAG_EXTRA,
	SLV_BAG_FIELD,
	SLV_BAG_MISSING,
	SLV_BAG_NO_METADATA,
	SLV_BAG_STORAGE,
	SLV_BAG_TIME,
	SLV_BAG_TOPIC,
	SLV_BAG_UNREAD,
	SLV_BAG_VERSION,
	SLV_BAG_YAML,
	SLV_BAG_ROWS
};

struct slv_bag_finding {
	enum slv_bag_row row;
	char *text; /* owned */
};

#define SLV_BAG_FINDINGS 1000 /* that are listed; all are counted */

/* Starts as { 0 }. */
struct slv_bag {
	char *folder; /* owned; as it was named, without a slash at its end */
	struct slv_bag_file *files; /* owned */
	size_t n_files, cap_files;
	struct slv_bag_file **by_name; /* owned; the files by their names */
	struct slv_bag_topic *topics;  /* owned; judged: sorted by name */
	size_t n_topics, cap_topics;

	bool has_metadata;
	struct slv_buf metadata; /* owned; its bytes */
	struct slv_yaml yaml;    /* what it says */
	size_t root;             /* the node with the fields */
	uint64_t version;        /* 0: unknown */
	struct slv_yaml noted;   /* the same as the latest file notes it */
	char *distro;            /* owned; the same; NULL: no file notes it */
	uint64_t noted_at;       /* its first message */

	struct slv_bag_finding *findings; /* owned; the first ones */
	size_t n_findings, cap_findings, total;
	struct slv_bag_span span;            /* of all files that were read */
	const volatile sig_atomic_t *cancel; /* borrowed; NULL: cannot be
	                                      * cancelled */
	bool renamed; /* topics without messages have other names in
	               * metadata.yaml than in the files */
};

/* Return true if the folder is a bag: it has a metadata.yaml, or files with
 * names as ROS 2 gives them. */
bool slv_bag_is(const char *folder);

/* Find the files, and read metadata.yaml without parsing it.  Links are not
 * followed. */
enum slv_status slv_bag_open(
    struct slv_bag *, const char *folder, struct slv_err *);

/* bag_facts.c - what the report of a job says of file i, as it is or will
 * be. */
enum slv_status slv_bag_add(
    struct slv_bag *, size_t i, const struct slv_report *, struct slv_err *);

/* Compare metadata.yaml with the files. */
enum slv_status slv_bag_judge(struct slv_bag *, struct slv_err *);

/* Append a metadata.yaml that agrees with the files: the one that is there, if
 * it does.
 *
 *   *possible  false: it cannot be written, and must stay as it is */
enum slv_status slv_bag_make(
    struct slv_bag *, struct slv_buf *out, bool *possible, struct slv_err *);

/* The findings for people and as one line of JSON; NULL: out of memory.
 *
 *   state   of the bag
 *   output  the new metadata.yaml; NULL: none */
char *slv_bag_text(const struct slv_bag *, enum slv_state, const char *output);
char *slv_bag_json(const struct slv_bag *, enum slv_state, const char *output);

/* Return true if a finding of this row is listed. */
bool slv_bag_has(const struct slv_bag *, enum slv_bag_row);

/* The path of a name in the folder, owned by the caller; NULL: out of memory. */
char *slv_bag_path(const struct slv_bag *, const char *name);

void slv_bag_free(struct slv_bag *);

/* For the modules beside this one.
 *
 * Raise a finding. */
enum slv_status slv_bag_raise(struct slv_bag *, enum slv_bag_row,
    struct slv_err *, const char *fmt, ...) SLV_PRINTF(4, 5);

/* SLV_E_CANCELLED: somebody asked to stop. */
enum slv_status slv_bag_go_on(const struct slv_bag *, struct slv_err *);

/* bag_files.c - return true if the folder has a file with a name as ROS 2 gives
 * them. */
bool slv_bag_has_files(const char *folder);

/* Add the files of the bag, once ->metadata has been read. */
enum slv_status slv_bag_find_files(struct slv_bag *, struct slv_err *);

/* bag_form.c - parse metadata.yaml, and check that it has the form of its
 * version; true in *usable if its fields can be compared. */
enum slv_status slv_bag_form(struct slv_bag *, bool *usable, struct slv_err *);

/* Set *valid if the node can be the value of a field of the bag, or of a topic, in a
 * version. */
enum slv_status slv_bag_valid(const struct slv_yaml *, size_t node,
    const char *field, uint64_t version, bool *valid, struct slv_err *);

/* What a file says of the profiles of a topic, as the value of that field in a
 * version, for the caller to free; *valid = false: it says nothing that can be. */
enum slv_status slv_bag_qos(struct slv_yaml *, const char *text,
    uint64_t version, bool *valid, struct slv_err *);

/* The number in a field of a map, such as of a duration; false: none. */
bool slv_bag_number(const struct slv_bag *, size_t map, const char *field,
    const char *inner, uint64_t *out);

/* Return true if it was compressed as a whole. */
bool slv_bag_is_packed(const struct slv_bag_file *);

void slv_bag_topic_free(struct slv_bag_topic *);

/* Make all channels with one name one topic, and sort them by name. */
void slv_bag_join_topics(struct slv_bag *);

/* The topic of that name, of joined ones; NULL: no file has it. */
const struct slv_bag_topic *slv_bag_topic_named(
    const struct slv_bag *, const char *name);

/* The file of that name, with or without the ending of its compression; NULL:
 * there is none. */
struct slv_bag_file *slv_bag_file_named(struct slv_bag *, const char *name);

#endif
