/* shard.c - one of N parts of an archive, for several machines. */
#include "batch/find/shard.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"

#define DIGITS "0123456789"

/* The environment in which engines state the index of a task. */
static const struct engine {
	const char *index, *first, *step, *count; /* variables; NULL: none */
} engines[] = {
	{ "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
	    "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT" },
	{ "AWS_BATCH_JOB_ARRAY_INDEX", NULL, NULL, "AWS_BATCH_JOB_ARRAY_SIZE" },
	{ "JOB_COMPLETION_INDEX", NULL, NULL, NULL },
};

/* A number that is the whole text, of at most 9 digits. */
static bool
number(const char *text, uint64_t *out)
{
	size_t n = text != NULL ? strspn(text, DIGITS) : 0;

	if (n == 0 || n > 9 || text[n] != '\0')
		return false;
	*out = strtoull(text, NULL, 10);
	return true;
}

static uint64_t
variable(const char *name, uint64_t otherwise)
{
	uint64_t value = otherwise;

	return name != NULL && number(getenv(name), &value) ? value : otherwise;
}

/* n: how many there are; 0: the engine states it. */
static bool
ask_engine(uint64_t n, struct slv_shard *out)
{
	for (size_t k = 0; k < sizeof(engines) / sizeof(*engines); k++) {
		const struct engine *e = &engines[k];
		uint64_t index, first, step;

		if (!number(getenv(e->index), &index))
			continue;
		first = n == 0 ? variable(e->first, 0) : 0;
		step = n == 0 ? variable(e->step, 1) : 1;
		if (step == 0 || index < first)
			return false;
		out->i = (index - first) / step + 1;
		out->n = n != 0 ? n : variable(e->count, 0);
		return out->i <= out->n;
	}
	return false;
}

bool
slv_shard_parse(const char *text, struct slv_shard *out)
{
	const char *slash = strchr(text, '/');
	char first[16] = "";
	size_t len = slash != NULL ? (size_t)(slash - text) : strlen(text);

	*out = (struct slv_shard){ 0, 0 };
	if (len >= sizeof(first)
	    || (slash != NULL && (!number(slash + 1, &out->n) || out->n == 0)))
		return false;
	memcpy(first, text, len);
	if (strcmp(first, "auto") == 0)
		return ask_engine(out->n, out);
	return slash != NULL && number(first, &out->i) && out->i > 0
	    && out->i <= out->n;
}

uint64_t
slv_shard_hash(const char *name)
{
	uint64_t hash = slv_fnv(SLV_FNV, name, strlen(name));

	/* Its low bits alone are not random enough. */
	return hash ^ hash >> 32;
}

bool
slv_shard_has(const struct slv_shard *shard, const char *name)
{
	return shard->n == 0 || slv_shard_hash(name) % shard->n == shard->i - 1;
}
