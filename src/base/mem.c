/* mem.c - memory, through one function that tests can make fail. */
#include "base/mem.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool (*slv_mem_hook)(size_t size);

/* The allocator of the process; ->resize NULL: that of the C library.  It is set before
 * there are other threads. */
static struct slv_allocator given;

/* Memory has been allocated: the allocator cannot be changed any more. */
static atomic_bool used;

enum slv_status
slv_set_allocator(const struct slv_allocator *a)
{
	if (a->resize == NULL || a->release == NULL)
		return SLV_E_USAGE;
	if (atomic_load(&used))
		return SLV_E_REFUSED;
	given = *a;
	return SLV_OK;
}

/* Return true unless a test makes this allocation fail. */
static bool
is_open(size_t size)
{
	if (!atomic_load_explicit(&used, memory_order_relaxed))
		atomic_store(&used, true);
	return slv_mem_hook == NULL || slv_mem_hook(size);
}

void *
slv_realloc(void *p, size_t size)
{
	if (!is_open(size))
		return NULL;
	return given.resize != NULL ? given.resize(given.ctx, p, size)
	                            : realloc(p, size);
}

void
slv_free(void *p)
{
	if (given.release == NULL)
		free(p);
	else if (p != NULL)
		given.release(given.ctx, p);
}

/* Pages of an allocator that knows none: what it gave is noted before them. */
static void *
cut_pages(size_t whole)
{
	uint8_t *p = NULL, *all;
	size_t skip;

	if (whole > SIZE_MAX - 2 * SLV_MEM_PAGE)
		return NULL;
	all = given.resize(given.ctx, NULL, whole + 2 * SLV_MEM_PAGE);
	if (all == NULL)
		return NULL;
	skip = -(uintptr_t)all % SLV_MEM_PAGE;
	p = all + skip + (skip < sizeof(all) ? SLV_MEM_PAGE : 0);
	memcpy(p - sizeof(all), &all, sizeof(all));
	return p;
}

void *
slv_alloc_pages(size_t size)
{
	size_t whole = (size + SLV_MEM_PAGE - 1) & ~(SLV_MEM_PAGE - 1);

	if (whole < size || !is_open(size))
		return NULL;
	return given.resize != NULL ? cut_pages(whole)
	                            : aligned_alloc(SLV_MEM_PAGE, whole);
}

void
slv_free_pages(void *p)
{
	void *all = p;

	if (p != NULL && given.release != NULL)
		memcpy(&all, (uint8_t *)p - sizeof(all), sizeof(all));
	slv_free(all);
}

void
slv_mem_back(void *p, size_t size)
{
#ifdef MADV_POPULATE_WRITE /* Linux 5.14 */
	size_t skip = -(uintptr_t)p % SLV_MEM_PAGE;
	size_t whole = size > skip ? (size - skip) / SLV_MEM_PAGE : 0;

	/* With larger pages this is usually refused, which does no harm. */
	if (whole > 0)
		(void)madvise((uint8_t *)p + skip, whole * SLV_MEM_PAGE,
		    MADV_POPULATE_WRITE);
#else
	(void)p;
	(void)size;
#endif
}

void *
slv_calloc(size_t n, size_t size)
{
	void *p;

	if (size != 0 && n > SIZE_MAX / size)
		return NULL;
	p = slv_realloc(NULL, n * size);
	if (p != NULL)
		memset(p, 0, n * size);
	return p;
}

enum slv_status
slv_new(void *array, size_t n, size_t size, struct slv_err *err)
{
	void *made = slv_calloc(n > 0 ? n : 1, size);

	memcpy(array, &made, sizeof(made));
	return made != NULL ? SLV_OK
	                    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

char *
slv_strdup(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = slv_realloc(NULL, n);

	if (copy != NULL)
		memcpy(copy, text, n);
	return copy;
}

enum slv_status
slv_grow(
    void *array, size_t *cap, size_t need, size_t size, struct slv_err *err)
{
	size_t want = *cap + *cap / 2 + 4;
	void *old, *grown;

	if (need <= *cap)
		return SLV_OK;
	if (want < need)
		want = need;
	if (want > SIZE_MAX / size)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	memcpy(&old, array, sizeof(old));
	grown = slv_realloc(old, want * size);
	if (grown == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	memcpy(array, &grown, sizeof(grown));
	*cap = want;
	return SLV_OK;
}
