/* salvor_problems.h - the problem catalogue: every finding that formats can
 * raise.
 *
 * A part of salvor.h, which includes it; the conventions there apply.
 */
#ifndef SALVOR_PROBLEMS_H
#define SALVOR_PROBLEMS_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum slv_severity {
	SLV_NOTE,
	SLV_WARNING,
	SLV_ERROR,
	SLV_VIOLATION, /* not damage: a rule of the caller is broken */
};

enum slv_remedy {
	SLV_LEAVE,   /* no effect on the state or on a repair */
	SLV_DROP,    /* the bytes are left out of the output */
	SLV_REBUILD, /* the bytes are rebuilt from the rest */
	SLV_RESEAL,  /* left, unless the user asks for a new digest */
	SLV_REFUSE,  /* nothing can be written */
};

/* What a finding means for recorded data, whatever repair does. */
enum slv_risk {
	SLV_RISK_NONE,        /* none are lost or in doubt */
	SLV_RISK_DESCRIPTION, /* types, names or annotations may be lost */
	SLV_RISK_UNPROVEN,    /* some may be wrong, and nothing shows which */
	SLV_RISK_LOST,        /* some may be lost */
};

struct slv_problem_info {
	const char *id; /* stable, dotted, never reused */
	enum slv_severity severity;
	enum slv_remedy remedy;
	enum slv_risk risk;

	/* One line, without the offset; {len} {want} {got} stand for the
	 * finding's numbers. */
	const char *text;

	const char *means;  /* what it says about the file */
	const char *arises; /* how it happens */
	const char *repair; /* what repair does */
};

/* Row i of the catalogue, sorted by id; NULL past the end. */
const struct slv_problem_info *slv_problem_at(size_t i);

/* A row as one line of JSON without a newline; NULL: out of memory. */
char *slv_problem_json(const struct slv_problem_info *);

const char *slv_severity_name(enum slv_severity);
const char *slv_remedy_name(enum slv_remedy);
const char *slv_risk_name(enum slv_risk);

#ifdef __cplusplus
}
#endif

#endif
