/* disk.h - a disk in memory that remembers what could be lost.
 *
 * While it is on, slv_sys works on it.  Every change is taken down as atoms:
 * a sector written, a file grown or cut, a name given or taken.  An atom is
 * safe once its file, or for names its directory, was synced.  Of what is not
 * safe at some point, any part may be on the disk after a crash there.
 */
#ifndef TESTS_CRASH_DISK_H
#define TESTS_CRASH_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/blob.h"

#define DISK_FILES 24
#define DISK_NAMES 12
#define DISK_PATH  64

struct disk_file {
	struct blob bytes;
	char link[DISK_PATH]; /* a symbolic link to this; "": none */
	unsigned changes;     /* its time of modification */
};

struct disk_name {
	char path[DISK_PATH]; /* "": free */
	int file;
};

struct disk {
	struct disk_file files[DISK_FILES];
	int n_files;
	struct disk_name names[DISK_NAMES];
};

enum atom_kind { ATOM_BYTES, ATOM_GROW, ATOM_CUT, ATOM_NAME };

struct atom {
	enum atom_kind kind;
	unsigned step; /* the call that made it */
	unsigned safe; /* the call that made it safe; UINT_MAX: none */
	int file;      /* of NAME: what the name is given to; -1: none */
	size_t off, n; /* of BYTES; of GROW and CUT: n is the size */
	uint8_t sector[512];
	char path[DISK_PATH]; /* of NAME; its directory must be safe */
	char from[DISK_PATH]; /* of NAME: the name that it had; or "" */
	char link[DISK_PATH]; /* of NAME: what the new link says; or "" */
};

struct disk_log {
	struct atom *at; /* owned */
	size_t n, cap;
	unsigned steps; /* calls that changed or synced something */
};

void disk_copy(struct disk *to, const struct disk *from);
void disk_free(struct disk *);

/* A name, in the disk; NULL: nothing has it. */
struct disk_name *disk_find(const struct disk *, const char *path);

/* The file after it and all links; -1: none. */
int disk_follow(const struct disk *, const char *path);

/* Have the file of that number, without a name yet; returns the number. */
int disk_add(struct disk *, int wanted);

/* Put a file there, as if it had always been there. */
void disk_put(struct disk *, const char *path, const void *bytes, size_t n);

/* What a name names; NULL: nothing. */
const struct blob *disk_get(const struct disk *, const char *path);

/* Do an atom. */
void disk_do(struct disk *, const struct atom *);

/* A number for what is on it. */
uint64_t disk_hash(const struct disk *);

/* Let slv_sys work on the disk, and take down what is done; log may be
 * NULL. */
void disk_on(struct disk *, struct disk_log *);
void disk_off(void);

#endif
