/* options.h - what a job is told: the members that options set.
 *
 * Callers of the library know these by the names of the options only
 * (salvor_options.h), so that members can be added.
 */
#ifndef SLV_OPTIONS_OPTIONS_H
#define SLV_OPTIONS_OPTIONS_H

#include "options/limits.h"
#include "salvor.h"

/* Texts that are given one after the other, each of them borrowed. */
#define SLV_TEXTS 64
struct slv_texts {
	const char *at[SLV_TEXTS];
	size_t n;
};

/* Which records of a log are wanted, in the words of slv_reader_set(); { 0 }: all
 * of them, as they are in the file. */
struct slv_selection {
	struct slv_texts include, exclude, type;
	const char *start, *end, *timespan, *order,
	    *latched; /* NULL: not given */
};

/* Where "-" goes. */
struct slv_stream {
	struct slv_outlet outlet; /* ->write NULL: none */
	bool has_fd;              /* to this descriptor; else standard output */
	int fd;                   /* borrowed */
};

/* Where the bytes of the input are, if not in the file of its name. */
struct slv_supply {
	enum {
		SLV_SUPPLY_NONE,
		SLV_SUPPLY_CALL,
		SLV_SUPPLY_FD,
		SLV_SUPPLY_MEMORY,
	} kind;
	struct slv_input input; /* closed with the options */
	int fd;                 /* borrowed */
	const void *bytes;      /* borrowed */
	size_t n;
};

/* What a report says about the run that made it. */
struct slv_maker {
	char *host;    /* its name, UTF-8 */
	char *command; /* the command line, UTF-8 */
	int64_t time;  /* seconds since 1970, below SLV_MAKER_LAST, to state as
		        * the time of the reports; -1: the real time */
};

#define SLV_MAKER_LAST 253402300800 /* the year 10000 */

/* A copy of a text, in a list of such. */
struct slv_kept_text {
	struct slv_kept_text *next;
	char text[];
};

/* Options of a job.  { 0 } is the careful default.  Strings are borrowed, except those
 * in ->texts. */
struct slv_options {
	/* Output path; NULL = next to the input; "-" = standard output.  A
	 * symbolic link is followed; a file that is not regular is written
	 * directly. */
	const char *output;

	/* With the output "-". */
	struct slv_stream stream;

	/* Directory of the output, which has the input's name, if `output` is
	 * NULL; NULL = next to the input. */
	const char *output_dir;

	/* Create output_dir and its parents when something is written there;
	 * otherwise it must exist. */
	bool make_dirs;

	/* Where to write the damage map, in the format of GNU ddrescue: + kept
	 * and rebuilt, - lost, ? padding and other recordings.  It replaces an
	 * earlier map of salvor and nothing else.  NULL = none. */
	const char *mapfile;

	/* The map that ddrescue left of the input: ranges that it does not call
	 * rescued count as unreadable.  NULL = none. */
	const char *domain_mapfile;

	/* slv_repair(): where to write the plan, which slv_apply() carries out
	 * elsewhere.  It replaces an earlier plan and nothing else.  NULL =
	 * none. */
	const char *plan_out;

	/* slv_repair(): an existing directory in which each range that is left
	 * out is saved as a file named by its offset, with a manifest; NULL =
	 * not saved. */
	const char *save_dropped;

	/* With in_place, and slv_undo(): path of the undo record; NULL =
	 * FILE.salvor-undo next to the file, or where a link there points. */
	const char *undo_file;

	/* slv_merge(): another recording by the same robot at the same time.
	 * Blocks that are missing in all copies are taken from it; they are
	 * reported as added and never as proven.  NULL = none. */
	const char *fill;

	/* slv_repair(): another log of the same robot.  Lost declarations of
	 * channels are taken from it if only one can be right; data never are.
	 * It must have the same format, else SLV_E_UNRELATED.  NULL = none. */
	const char *donor;

	/* Where to spool standard input if the output is not a file next to
	 * which it could be; NULL = "/tmp".  slv_repair() spools a pipe of any
	 * size, the others one of over 64 MiB. */
	const char *temp_dir;

	bool copy_intact;     /* with output_dir: write intact logs too */
	bool found;           /* the file was found in a folder: a link that has
			       * its name now is not followed */
	bool dry_run;         /* plan and prove, write nothing */
	bool force;           /* replace a different output */
	bool reseal;          /* write a new digest over unproven payload */
	bool verify_written;  /* reread the temporary from the disk */
	bool quick;           /* slv_verify(): only both ends and the index, if
			       * they agree; slv_repair() in place: what their
			       * index says of chunks, and not the chunks */
	bool scan;            /* slv_info(): every byte, even if they agree */
	bool require_end;     /* slv_verify(): a log that does not state where
			       * the recording ended is not sound */
	bool timeline;        /* report how many blocks of each channel there
			       * are at which time, which takes another walk */
	bool sha256;          /* report the SHA-256 of input and output */
	bool annotate;        /* note in a repaired log that it is one; not in
			       * an original that is restored bit for bit */
	bool no_annotate;     /* slv_repair(): do not note in the log that its
			       * writer's digest contradicts it, or that a block
			       * may not be what was recorded */
	bool split;           /* slv_repair(): write whole logs of another
			       * recording, inside the input or after it, to
			       * NAME.foreign-OFFSET.EXT next to the output */
	bool no_sidecar;      /* no OUT.salvor.json next to a lossy output */
	bool in_place;        /* slv_repair(): change the file itself; without
	                      * output and output_dir */
	bool discard_undo;    /* with in_place, and slv_undo(): discard the
			       * record of a finished repair */
	unsigned keep;        /* SLV_KEEP_* */
	uint64_t time_window; /* seconds; blocks with times further from those
			       * around them are doubted; 0: 24 hours */
	const char *map_name; /* slv_repair(): map name for a log that must name
			       * its map and no longer does; NULL: then nothing
			       * is written */
	bool renumber;        /* slv_repair(): renumber what is counted in the
			       * log, if numbers are missing */
	bool deep;            /* slv_verify(): check payloads that the log
			       * itself describes */
	bool rechunk;         /* slv_repair(): split what is too long for some
			       * readers, also in an intact log */
	bool no_effort;       /* do not try flipped bits against the digest */
	unsigned effort;      /* multiplies the budget for that; 0: once */
	struct slv_limits limits;

	/* Set by a signal handler to stop; NULL = never. */
	const volatile sig_atomic_t *cancel;

	/* slv_verify(): rules that the log must keep, which do not change its
	 * state; NULL = none. */
	const struct slv_policy *policy;

	/* slv_verify(): keep a digest of each MiB for slv_report_digests(),
	 * unless a digest of its own proves the log. */
	bool digests;

	/* slv_verify(): what the file was, which does not change its state;
	 * NULL = not compared. */
	const struct slv_baseline *baseline;

	slv_block_fn on_block; /* slv_list() only */
	void *on_block_ctx;

	/* The bytes of the file; its name is then only that of its report. */
	struct slv_supply supply;

	/* The run that reports name as their maker; NULL = they state the
	 * version of salvor and the time. */
	const struct slv_maker *maker;

	/* slv_export(): the format; NULL = by the ending of `output`. */
	const char *to;

	/* slv_extract(): begin a new file when one has so many bytes of
	 * records, or seconds of them; 0 = all in one. */
	uint64_t split_size, split_duration;

	/* slv_export(), slv_extract() and readers: the records that are
	 * wanted. */
	struct slv_selection choice;

	/* For slv_export() and slv_reader_export() to a format that has chunks: the
	 * compression, "none", "lz4" or "zstd" (the default); and how many bytes of
	 * records are in a chunk before it is compressed, 0 = 1 MiB. */
	const char *compression;
	uint64_t chunk_size;

	/* The same: a FileDescriptorSet of protobuf that describes messages which
	 * the log only names (BDDF); NULL = none. */
	const char *descriptors;

	/* Called to show progress; NULL = not called. */
	slv_progress_fn on_progress;
	void *on_progress_ctx;

	/* What slv_options_set() has copied, the latest first; owned. */
	struct slv_kept_text *texts;
};

/* The options of a caller, who may give NULL for the careful default. */
const struct slv_options *slv_options_of(const struct slv_options *);

/* A job that reads several files, or changes one, has no use for other bytes.
 *
 * SLV_E_USAGE: some are supplied */
enum slv_status slv_options_no_supply(
    const struct slv_options *, struct slv_err *);

/* Free what slv_options_set() has copied, of options that slv_options_new() did not
 * make. */
void slv_options_clear(struct slv_options *);

#endif
