/* mem.h - memory, through one gate that tests can close.
 *
 * Every allocation of the library goes through slv_realloc, so that a test
 * can make the k-th one fail.  A failure is reported as SLV_E_NOMEM by the
 * caller, never hidden.
 */
#ifndef SLV_BASE_MEM_H
#define SLV_BASE_MEM_H

#include <stddef.h>

#include "base/status.h"

#define SLV_MEM_PAGE ((size_t)4 << 10) /* bytes; more, on some CPUs */

/* Test seam: NULL, or asked before each allocation; false = fail it. */
extern bool (*slv_mem_hook)(size_t size);

/* As realloc(3); size > 0.  NULL when memory runs out, p is then still
 * valid.  The caller owns the result and frees it with free(). */
void *slv_realloc(void *p, size_t size);

/* Room for size > 0 bytes that begins where a page of memory does, for bytes of
 * files: what is read to the same place of a page as it has in its file is
 * copied five times as fast, on some CPUs, as to a few bytes behind that.
 * NULL when memory runs out; freed with free(), not for slv_realloc. */
void *slv_alloc_pages(size_t size);

/* Have the system find memory for [p, p + size), which is about to be written
 * from front to end, at once where it can: the first byte of each page stops a
 * processor otherwise, page by page.  The bytes do not change. */
void slv_mem_back(void *p, size_t size);

/* n zeroed objects of size bytes; NULL when memory runs out. */
void *slv_calloc(size_t n, size_t size);

/* A copy of a string; NULL when memory runs out. */
char *slv_strdup(const char *text);

/* Make room in *array for at least need elements of size bytes, growing by
 * half; *cap is the present room in elements.
 *
 * SLV_E_NOMEM: *array and *cap are unchanged. */
enum slv_status slv_grow(
    void *array, size_t *cap, size_t need, size_t size, struct slv_err *err);

#endif
