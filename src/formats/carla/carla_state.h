/* carla_state.h - the state of a scan of a recorder log, and the parts of the
 * driver.
 *
 * Memory: 64 bytes per frame, 16 per actor, 8 per event, and the list of
 * changes; 128 KiB to know which actors were seen.
 */
#ifndef SLV_FORMATS_CARLA_STATE_H
#define SLV_FORMATS_CARLA_STATE_H

#include "core/plan/plan.h"
#include "formats/carla/read/carla_event.h"
#include "formats/carla/read/carla_frame.h"

/* The version, the length of the magic word, and that word. */
#define CARLA_MAGIC                                                            \
	"\x01\x00\x0e\x00"                                                     \
	"CARLA_RECORDER"
#define CARLA_MAGIC_SIZE 18
#define CARLA_DATE       18 /* offset of the date, an i64 */
#define CARLA_MAP                                                              \
	28                 /* offset of the map's name; the u16 before it is its
			    * length */
#define CARLA_MAP_MAX 1024 /* bytes; longer ones are no name */
#define CARLA_NAME_MAX                                                         \
	255 /* bytes of a name that is corrected or has an unknown length */

/* The first frames show what all frames have in common: so many frames, in so
 * many bytes. */
#define CARLA_SAMPLES 64
#define CARLA_SEARCH  ((uint64_t)8 << 20)

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/carla/problems.def"
#undef SLV_PROBLEM
	CARLA_PROBLEMS
};
extern const struct slv_problem_info carla_problems[CARLA_PROBLEMS];

/* What a unit is. */
enum carla_tag {
	CARLA_TAG_FRAME,
	CARLA_TAG_HEADER,
	CARLA_TAG_USER, /* a packet after the last frame */
	CARLA_TAG_JUNK,
	CARLA_TAGS
};
extern const char *const carla_kinds[CARLA_TAGS];

/* The driver's settings. */
#define CARLA_MAP_NAME "map-name"
#define CARLA_RENUMBER "renumber"

/* What is known about the name of the map. */
enum carla_map {
	CARLA_MAP_READ,  /* as stated in the log */
	CARLA_MAP_SURE,  /* corrected: one wrong bit, which is known */
	CARLA_MAP_GUESS, /* bytes of it are replaced */
	CARLA_MAP_LOST,  /* nothing is left of it */
};

struct carla_header {
	uint64_t len;     /* bytes of the header; 0: there is none */
	bool sound;       /* as the recorder writes it */
	bool named;       /* the name of the map is readable */
	int64_t date;     /* s since 1970; 0: not known */
	uint16_t map_len; /* bytes of the name, which is at CARLA_MAP */
	enum carla_map map;
	char name[CARLA_NAME_MAX]; /* name of the map, if it is not as read */
};

/* A frame that is kept, or a packet between frames. */
struct carla_item {
	uint64_t off, len;        /* in the input */
	struct carla_start start; /* as it is there, then as it should be */
	bool is_frame;
	bool follows;     /* nothing is missing between it and the previous
			   * one */
	bool own_end;     /* its duration was never filled in */
	bool changed;     /* its FrameStart is rewritten */
	uint32_t seen;    /* packets in it, as in struct carla_frame */
	uint64_t grown;   /* bytes of events that are added to it */
	uint64_t missing; /* missing frames before it, by its number */
};

/* Bytes that will be replaced. */
struct carla_edit {
	uint64_t off; /* in the input */
	uint8_t len;
	uint8_t bytes[4];
};

/* How many frames have a kind of packet. */
struct carla_count {
	uint64_t packets, records, bytes;
};

struct carla {
	struct carla_header header;
	struct carla_dialect dialect;

	struct carla_item *items; /* owned; in order */
	size_t n_items, cap_items;
	struct carla_edit *edits; /* owned; in order */
	size_t n_edits, cap_edits;
	struct carla_events events;
	uint64_t n_frames;
	struct carla_start sure; /* of the last frame that continues where the
				  * one before it ends; id 0: none */
	uint64_t ended; /* end of a frame that says it is the last, and of the
			 * user packets after it; 0: none */
	bool lying;     /* a size is wrong in the way of one known writer */
	struct carla_count counts[256]; /* by id */
	uint64_t added;                 /* actors that were created */
	uint64_t most;                  /* bytes in the longest user packet */

	/* What the proof must find. */
	uint64_t planned, planned_sum;
	uint64_t sum; /* a digest of the FrameStarts */

	uint64_t likely; /* bytes that the next frame rarely exceeds */
};

/* What is cached. */
enum {
	CARLA_CACHED_FRAME,   /* struct carla_frame, by its offset */
	CARLA_CACHED_MENDING, /* uint64_t, a count: bytes read to correct
			       * packets */
	CARLA_CACHED_JUMPS,   /* uint64_t, a count: of jumps in lists */
};
extern const struct slv_cache_kind carla_cached[];

/* Bytes of a user packet that may carry a piece of another log; what programs
 * are known to write is shorter. */
#define CARLA_CARRY 128

/* Return true if whole frames have such packets. */
static inline bool
carla_carries(const struct carla *c)
{
	return c->most >= CARLA_CARRY;
}

static inline const struct carla *
carla_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for code that may change it: not for unit() and vouch(). */
static inline struct carla *
carla_edit(struct slv_scan *s)
{
	return s->state;
}

/* Raise a row of this format. */
static inline enum slv_status
carla_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &carla_problems[row], off, len, want, got, err);
}

/* The functions that core/format/format.h explains. */
slv_begin_fn carla_begin;
slv_unit_fn carla_unit;
slv_vouch_fn carla_vouch;
slv_accept_fn carla_accept;
slv_next_mark_fn carla_next_mark;
slv_finish_fn carla_finish;
slv_plan_fn carla_plan;
slv_describe_fn carla_describe;
slv_channel_name_fn carla_channel_name;
slv_inherit_fn carla_inherit;
slv_leave_fn carla_leave;
slv_strays_fn carla_strays;
slv_missing_fn carla_missing;

/* Count the frames that have a packet of each kind. */
struct carla_kinds {
	unsigned frames;
	unsigned seen[CARLA_KNOWN];
};

/* carla_begin.c - count a frame with these packets; which packets are usual
 * then; is it a log, and of which dialect; does a FrameEnd end a frame. */
void carla_count_kinds(struct carla_kinds *, uint32_t seen);
void carla_dialect_kinds(struct carla_dialect *, const struct carla_kinds *);

enum slv_status carla_closed(
    const struct slv_scan *, bool *yes, struct slv_err *);

/* carla_header.c - read the header, which may follow other bytes; the first
 * frame begins at `first`, 0: unknown. */
enum slv_status carla_header_read(
    struct slv_scan *, uint64_t first, struct slv_err *);
/* Append a header: the log's own, as far as it is readable, or one with the
 * name of the map that the user gave. */
enum slv_status carla_header_plan(
    struct slv_scan *, struct slv_plan *, struct slv_err *);

/* carla_map.c - correct the name of n bytes, some of which are impossible, and
 * raise that. */
enum carla_map carla_map_mend(const uint8_t *bytes, size_t n, char *out);
enum slv_status carla_map_report(struct slv_scan *, struct slv_err *);

/* carla_budget.c - is there a budget to correct another packet; and
 * carla_packet_measure, up to the end of the log, which counts. */
enum slv_status carla_may_mend(
    const struct slv_scan *, bool *yes, struct slv_err *);
enum slv_status carla_measure(const struct slv_scan *, struct carla_packet *,
    enum carla_vectors, unsigned form, bool *fits, struct slv_err *);
/* Count a jump in a list of records; may it be followed? */
enum slv_status carla_may_jump(
    const struct slv_scan *, bool *yes, struct slv_err *);

/* carla_unit.c - the time at which a frame began. */
struct slv_moment carla_moment(
    const struct slv_scan *, const struct carla_start *);
/* Read as much into the window as a frame is likely to take, before several
 * functions read it. */
enum slv_status carla_read_ahead(
    const struct slv_scan *, uint64_t off, struct slv_err *);
/* The frame at off, which is read once. */
enum slv_status carla_look(const struct slv_scan *, uint64_t off,
    const struct carla_frame **, struct slv_err *);

/* carla_accept.c - the log may end after this item, or continue: remember which. */
void carla_note_end(struct carla *, const struct carla_item *);
/* A checksum of what all frames say about themselves. */
uint64_t carla_sum(const struct carla_start *, uint64_t len);

/* carla_time.c - make ids and times of the kept frames lead from one to the
 * next, and raise the changes. */
enum slv_status carla_settle(struct slv_scan *, struct slv_err *);

/* carla_twice.c - if everything that was left out is elsewhere in the log, it
 * is not lost. */
enum slv_status carla_twice(struct slv_scan *, struct slv_err *);

/* carla_order.c - exclude frames that contradict more of the others. */
enum slv_status carla_order(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* carla_finish.c - can anything be written?  A map is named, by the log or by
 * the user for the frames that are there. */
bool carla_is_writable(const struct slv_scan *);

/* carla_mend.c */
enum slv_status carla_mend(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

/* carla_records.c */
extern const struct slv_records carla_records;

/* carla_export.c */
extern const struct slv_exporting carla_exporting;
slv_layout_fn carla_layout;

#endif
