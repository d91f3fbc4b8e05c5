/* types.h - how the argument of an option is read, and as what it is kept.
 *
 * Each of these puts what `value` says at `at`; false: the value makes no sense,
 * and what is at `at` is as it was.  The value is NULL where no argument was given,
 * which only options without one allow.
 */
#ifndef SLV_OPTIONS_TYPES_H
#define SLV_OPTIONS_TYPES_H

#include <stdbool.h>

/* What is at `at`. */
enum slv_stored {
	SLV_STORED_OTHER,  /* what the type says */
	SLV_STORED_FLAG,   /* bool */
	SLV_STORED_BITS,   /* unsigned */
	SLV_STORED_NUMBER, /* uint64_t; 0: not given */
	SLV_STORED_TEXT,   /* const char *, borrowed; NULL: not given */
	SLV_STORED_FOLDER, /* the same: slashes at its end mean nothing */
};

struct slv_option_type {
	enum slv_stored stored;
	bool (*store)(void *at, const char *value);
};

/* NULL and "yes" make it true, "no" false. */
extern const struct slv_option_type slv_type_flag;

/* Text that is not empty; a folder; a file that is not "-", as standard output
 * cannot be asked for twice; a name that a log can hold. */
extern const struct slv_option_type slv_type_text;
extern const struct slv_option_type slv_type_folder;
extern const struct slv_option_type slv_type_file;
extern const struct slv_option_type slv_type_name;

/* 1 or more: seconds, or a number of s, m, h or d; bytes, or a number of K, M or
 * G, which are powers of 1,024. */
extern const struct slv_option_type slv_type_span;
extern const struct slv_option_type slv_type_bytes;

/* As a span, or 0. */
extern const struct slv_option_type slv_type_age;

/* SLV_KEEP_*, by their names. */
extern const struct slv_option_type slv_type_keep;

/* A flag: the only digest there is to choose. */
extern const struct slv_option_type slv_type_hash;

/* struct slv_texts, to which it is added. */
extern const struct slv_option_type slv_type_texts;

/* One of a few words: a format, how it is compressed, an order of records. */
extern const struct slv_option_type slv_type_to;
extern const struct slv_option_type slv_type_compression;
extern const struct slv_option_type slv_type_order;

/* struct slv_options, of which it sets two members: 0 .. 9,999 times the
 * budget. */
extern const struct slv_option_type slv_type_effort;

#endif
