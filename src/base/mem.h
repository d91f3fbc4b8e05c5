/* mem.h - memory, through one gate that tests can close.
 *
 * Every allocation of the library goes through slv_realloc, and back through
 * slv_free, so that the memory can be the caller's (slv_set_allocator()), and a test can
 * make the k-th allocation fail.  The caller reports a failure as SLV_E_NOMEM and
 * never hides it.
 */
#ifndef SLV_BASE_MEM_H
#define SLV_BASE_MEM_H

#include <stddef.h>

#include "base/status.h"

#define SLV_MEM_PAGE ((size_t)4 << 10) /* bytes; more, on some CPUs */

/* Test seam: NULL, or asked before each allocation; false = fail it. */
extern bool (*slv_mem_hook)(size_t size);

/* As realloc(3); size > 0.  NULL if memory runs out; p is then still valid.
 * The caller owns the result and frees it with slv_free(). */
void *slv_realloc(void *p, size_t size);

/* Allocate size > 0 bytes at the beginning of a memory page, for bytes of
 * files.  Some CPUs copy five times as fast to the same place of a page as in
 * the file as to a few bytes after that place.  NULL if memory runs out; freed
 * with slv_free_pages(), not for slv_realloc. */
void *slv_alloc_pages(size_t size);
void slv_free_pages(void *);

/* Ask the system to provide the memory of [p, p + size) at once, because it is
 * about to be written from front to end.  Otherwise the first byte of each page
 * stops the processor.  The bytes do not change. */
void slv_mem_back(void *p, size_t size);

/* n zeroed objects of size bytes; NULL if memory runs out. */
void *slv_calloc(size_t n, size_t size);

/* The same as a call that fails: *array = n zeroed objects, at least one.
 *
 * SLV_E_NOMEM: *array is NULL */
enum slv_status slv_new(
    void *array, size_t n, size_t size, struct slv_err *err);

/* A copy of a string; NULL if memory runs out. */
char *slv_strdup(const char *text);

/* Make space in *array for at least need elements of size bytes, growing by
 * half; *cap is the present capacity in elements.
 *
 * SLV_E_NOMEM: *array and *cap are unchanged. */
enum slv_status slv_grow(
    void *array, size_t *cap, size_t need, size_t size, struct slv_err *err);

#endif
