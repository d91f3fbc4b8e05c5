/* mem.c - memory, through one gate that tests can close. */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool (*slv_mem_hook)(size_t size);

void *
slv_realloc(void *p, size_t size)
{
	if (slv_mem_hook != NULL && !slv_mem_hook(size))
		return NULL;
	return realloc(p, size);
}

void
slv_free(void *p)
{
	free(p);
}

void *
slv_alloc_pages(size_t size)
{
	size_t whole = (size + SLV_MEM_PAGE - 1) & ~(SLV_MEM_PAGE - 1);

	if (whole < size || (slv_mem_hook != NULL && !slv_mem_hook(size)))
		return NULL;
	return aligned_alloc(SLV_MEM_PAGE, whole);
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
