/* disk.c - a disk in memory that remembers what could be lost. */
#include "crash/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"

void
disk_copy(struct disk *to, const struct disk *from)
{
	disk_free(to);
	*to = *from;
	for (int i = 0; i < from->n_files; i++) {
		to->files[i].bytes = (struct blob){ 0 };
		blob_set(&to->files[i].bytes, from->files[i].bytes.at,
		    from->files[i].bytes.n);
	}
}

void
disk_free(struct disk *d)
{
	for (int i = 0; i < d->n_files; i++)
		blob_free(&d->files[i].bytes);
	memset(d, 0, sizeof(*d));
}

struct disk_name *
disk_find(const struct disk *d, const char *path)
{
	for (int i = 0; i < DISK_NAMES; i++) {
		if (*path != '\0' && strcmp(d->names[i].path, path) == 0)
			return (struct disk_name *)&d->names[i];
	}
	return NULL;
}

int
disk_follow(const struct disk *d, const char *path)
{
	for (int i = 0; i < 4; i++) {
		const struct disk_name *name = disk_find(d, path);

		if (name == NULL)
			return -1;
		if (d->files[name->file].link[0] == '\0')
			return name->file;
		path = d->files[name->file].link;
	}
	return -1;
}

static void
set_name(struct disk *d, const char *path, int file)
{
	struct disk_name *name = disk_find(d, path);

	for (int i = 0; i < DISK_NAMES && name == NULL; i++) {
		if (d->names[i].path[0] == '\0')
			name = &d->names[i];
	}
	if (name == NULL)
		abort();
	snprintf(name->path, sizeof(name->path), "%s", file < 0 ? "" : path);
	name->file = file;
}

int
disk_add(struct disk *d, int wanted)
{
	if (wanted >= DISK_FILES)
		abort();
	if (d->n_files <= wanted)
		d->n_files = wanted + 1;
	return wanted;
}

static void
resize(struct blob *b, size_t n)
{
	if (n > b->n)
		blob_fill(b, 0, n - b->n);
	b->n = n;
}

void
disk_put(struct disk *d, const char *path, const void *bytes, size_t n)
{
	int file = disk_add(d, d->n_files);

	blob_set(&d->files[file].bytes, bytes, n);
	set_name(d, path, file);
}

const struct blob *
disk_get(const struct disk *d, const char *path)
{
	int file = disk_follow(d, path);

	return file >= 0 ? &d->files[file].bytes : NULL;
}

void
disk_do(struct disk *d, const struct atom *a)
{
	struct disk_file *f =
	    a->file >= 0 ? &d->files[disk_add(d, a->file)] : NULL;
	size_t n;

	switch (a->kind) {
	case ATOM_BYTES:
		/* After the end nobody sees it. */
		n = a->off < f->bytes.n ? f->bytes.n - a->off : 0;
		if (n > 0)
			memcpy(f->bytes.at + a->off, a->sector,
			    n < a->n ? n : a->n);
		break;
	case ATOM_GROW:
		if (a->n > f->bytes.n)
			resize(&f->bytes, a->n);
		break;
	case ATOM_CUT:
		if (a->n < f->bytes.n)
			resize(&f->bytes, a->n);
		break;
	case ATOM_NAME:
		if (a->from[0] != '\0')
			set_name(d, a->from, -1);
		if (f != NULL && a->link[0] != '\0')
			memcpy(f->link, a->link, sizeof(f->link));
		if (f != NULL || disk_find(d, a->path) != NULL)
			set_name(d, a->path, a->file);
		break;
	}
}

static uint64_t
add_hash(uint64_t h, const void *bytes, size_t n)
{
	return (slv_fnv(h, bytes, n) ^ n) * UINT64_C(0x9e3779b97f4a7c15);
}

uint64_t
disk_hash(const struct disk *d)
{
	uint64_t sum = 0;

	for (int i = 0; i < DISK_NAMES; i++) {
		const struct disk_name *name = &d->names[i];
		uint64_t h = SLV_FNV;

		if (name->path[0] == '\0')
			continue;
		h = add_hash(h, name->path, strlen(name->path));
		h = add_hash(h, d->files[name->file].link,
		    strlen(d->files[name->file].link));
		sum += add_hash(h, d->files[name->file].bytes.at,
		    d->files[name->file].bytes.n);
	}
	return sum;
}
