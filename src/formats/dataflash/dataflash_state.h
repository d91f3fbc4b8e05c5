/* dataflash_state.h - the state of a scan of a flight log, and the parts of the
 * driver.
 *
 * Memory: 60 KiB for all 256 types, 16 bytes per message that no format explains
 * and per FMTU; after damage 24 more for each type of each undamaged stretch.
 */
#ifndef SLV_FORMATS_DATAFLASH_STATE_H
#define SLV_FORMATS_DATAFLASH_STATE_H

#include "core/plan/plan.h"
#include "core/scan/scan.h"
#include "formats/dataflash/read/dataflash_message.h"

#define DATAFLASH_TYPES 256

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/dataflash/problems.def"
#undef SLV_PROBLEM
	DATAFLASH_PROBLEMS
};
extern const struct slv_problem_info dataflash_problems[DATAFLASH_PROBLEMS];

/* Types that mean something to the driver. */
enum dataflash_role {
	DATAFLASH_DATA,
	DATAFLASH_UNITS,     /* FMTU */
	DATAFLASH_PARAMETER, /* PARM */
	DATAFLASH_MESSAGE,   /* MSG: a text */
};

/* A type of messages. */
struct dataflash_type {
	/* For dataflash_run(): what it takes, and what it took. */
	uint64_t last;  /* time of the latest message, in us */
	uint64_t mask;  /* of the 8 bytes at `stamp` that are the time; 0: it
			  * has none */
	uint32_t scale; /* us per unit of the time */
	uint8_t length; /* of a message; 0: unknown */
	uint8_t stamp;  /* offset of the time */
	uint64_t run_first;

	uint8_t fmt[DATAFLASH_FMT_SIZE];    /* if there is a format */
	char name[DATAFLASH_NAME_SIZE + 1]; /* for listings */
	enum dataflash_role role;
	bool declared; /* by this log, or `lent` by the donor */
	bool lent;
	bool assumed;   /* ... not by a donor: all versions have it */
	bool late;      /* declared after messages of this type */
	bool usable;    /* it has a format, which explains its messages */
	uint64_t at;    /* offset of the format in this log */
	uint64_t rival; /* ... and of another one; 0: none */
	uint8_t rival_length;
	uint64_t n;     /* messages that the format explains */
	uint64_t n_odd; /* ... that none does */
	uint64_t first_off, first;
	uint64_t units_end; /* of the first FMTU about it; 0: none */
};

/* A place that may have to be left out: a message that no format explains, or an
 * FMTU. */
struct dataflash_place {
	uint64_t off;
	uint8_t type; /* of the message; of what the FMTU is about */
	uint8_t len;
};

/* What the output has instead of some bytes of the input. */
struct dataflash_edit {
	uint64_t off, len;
	int type; /* the format of this type; < 0: nothing */
};

struct dataflash {
	struct dataflash_type types[DATAFLASH_TYPES];
	uint32_t run_n[DATAFLASH_TYPES]; /* taken by dataflash_run() */
	uint8_t quick[DATAFLASH_TYPES]; /* length of ordinary messages, at least
					 * one of which was read; 0: none */
	bool encrypted;
	bool has_first; /* the log begins with the FMT of FMT */
	bool back;      /* time went back */
	bool dated;
	int64_t shift;   /* us to add to times since the boot, if dated */
	uint64_t latest; /* time, in us */

	struct dataflash_place *odd; /* owned; in order */
	size_t n_odd, cap_odd;
	struct dataflash_place *units; /* owned; in order */
	uint8_t units_type;            /* their type */
	size_t n_units, cap_units;
	struct dataflash_edit *edits; /* owned; in order once finished */
	size_t n_edits, cap_edits;

	unsigned n_agree, n_differ; /* types here and in the donor */
	uint64_t firmware; /* offset of the text that names it; 0: none */
	uint64_t *params;  /* owned; names and values seen, as hashes */
	uint64_t n_params, changed;

	uint64_t planned, planned_sum; /* what a proof must find */
};

static inline const struct dataflash *
dataflash_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for code that may change it: not for unit() and vouch(). */
static inline struct dataflash *
dataflash_edit(struct slv_scan *s)
{
	return s->state;
}

/* The time of a message, in us; 0: none.  8 bytes at its stamp can be read. */
static inline uint64_t
dataflash_time(const struct dataflash_type *t, const uint8_t *p)
{
	return (slv_get_le64(p + t->stamp) & t->mask) * t->scale;
}

/* A time of the log as a moment. */
static inline struct slv_moment
dataflash_moment(const struct dataflash *m, uint64_t us)
{
	uint64_t at = us + (uint64_t)m->shift;

	return (struct slv_moment){ (int64_t)(at / 1000000),
		(uint32_t)(at % 1000000) * 1000,
		us > 0 && at < (uint64_t)1 << 62 };
}

/* Raise a row of this format. */
static inline enum slv_status
dataflash_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &dataflash_problems[row], off, len, want, got, err);
}

/* The functions that core/format/format.h explains. */
slv_begin_fn dataflash_begin;
slv_unit_fn dataflash_unit;
slv_vouch_fn dataflash_vouch;
slv_run_fn dataflash_run;
slv_accept_fn dataflash_accept;
slv_next_mark_fn dataflash_next_mark;
slv_finish_fn dataflash_finish;
slv_plan_fn dataflash_plan;
slv_describe_fn dataflash_describe;
slv_channel_name_fn dataflash_channel_name;
slv_layout_fn dataflash_layout;
extern const struct slv_records dataflash_records;

/* dataflash_type.c - use an FMT that is sound. */
void dataflash_type_set(struct dataflash_type *, const uint8_t *fmt);
/* Copy what is at off of the source, and fill the rest with zeros. */
enum slv_status dataflash_peek(const struct slv_scan *, uint64_t off,
    uint8_t *out, size_t size, size_t *n, struct slv_err *);
/* How long is the message at off, if it is of a known type? */
enum slv_status dataflash_length(
    const struct slv_scan *, uint64_t off, uint32_t *length, struct slv_err *);

/* dataflash_usual.c - assume the formats that all versions have, of messages that
 * look like theirs. */
enum slv_status dataflash_assume(
    struct slv_scan *, bool *any, struct slv_err *);

/* dataflash_order.c - leave out what contradicts the times around it. */
enum slv_status dataflash_order(struct slv_scan *, struct slv_err *);

#endif
