/* make_log.c - write a sound BDDF log of any size, to measure with.
 *
 * The log is in the dialect robots write (type byte last, vendor's numbers).
 * It knows nothing of src/: what is measured must not make its own input.
 * The same options give the same bytes, and with --no-footer the same again
 * up to the end of the data, as if the recorder had lost power there.
 *
 * Memory: 8 bytes a block, for the index at the end.  All else about a block
 * follows from its number.
 */
#include "message.h"

#include <bearssl.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE_TOP   ((uint64_t)1 << 50) /* bytes */
#define EXTRAS_MAX 64
#define SERIES_MAX 1000000

#define EPOCH      1700000000 /* seconds, of the first block */
#define STEP_NS    1234567    /* from one block to the next */
#define NS         1000000000u
#define CHECK_SHA1 2 /* FileFormatDescriptor.checksum_type */

enum { DATA, DESCRIPTOR, END };                      /* block types */
enum { FILE_FORMAT = 1, SERIES, INDEX, FILE_INDEX }; /* descriptors */

struct options {
	const char *out;
	uint64_t size, payload; /* bytes */
	uint64_t series, extras;
	bool no_footer;
};

struct log {
	const struct options *opt;
	int fd;
	uint64_t at;     /* bytes so far, those in room included */
	bool counting;   /* put() moves `at` and does nothing else */
	uint64_t *block; /* offset of each; n is of series n % opt->series */
	uint64_t n, cap;
	uint64_t entries; /* bytes that their index entries will take */
	uint64_t *series; /* offset of each SeriesDescriptor */
	uint64_t *index;  /* offset of each SeriesBlockIndex */
	uint64_t *hash;   /* identifier_hash of each series */
	br_sha1_context sha1;
	size_t used; /* of room */
	uint8_t room[1 << 20];
	uint8_t noise[1 << 20]; /* what payloads are made of */
};

static void
fail(const struct log *l, const char *what)
{
	fprintf(stderr, "make_log: %s: %s: %s\n", l->opt->out, what,
	    strerror(errno));
	exit(1);
}

static uint64_t *
numbers(const struct log *l, uint64_t *old, uint64_t n)
{
	uint64_t *p = realloc(old, (size_t)n * sizeof(*p));

	if (p == NULL)
		fail(l, "memory");
	return p;
}

/* Bytes to the file. */

static void
flush(struct log *l)
{
	for (size_t done = 0; done < l->used;) {
		ssize_t n = write(l->fd, l->room + done, l->used - done);

		if (n < 0 && errno != EINTR)
			fail(l, "write");
		done += n > 0 ? (size_t)n : 0;
	}
	br_sha1_update(&l->sha1, l->room, l->used);
	l->used = 0;
}

static void
put(struct log *l, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	l->at += n;
	while (!l->counting && n > 0) {
		size_t left = sizeof(l->room) - l->used;
		size_t take = n < left ? n : left;

		memcpy(l->room + l->used, from, take);
		l->used += take;
		from += take;
		n -= take;
		if (l->used == sizeof(l->room))
			flush(l);
	}
}

static void
put_fixed(struct log *l, uint64_t v, unsigned bytes)
{
	uint8_t le[8];

	for (unsigned i = 0; i < bytes; i++)
		le[i] = (uint8_t)(v >> 8 * i);
	put(l, le, bytes);
}

static void
put_header(struct log *l, unsigned type, uint64_t size)
{
	put_fixed(l, (uint64_t)type << 56 | size, 8);
}

/* The first bytes of a field whose content follows by put(). */
static void
put_field(struct log *l, unsigned field, uint64_t n)
{
	struct message m;

	m.n = 0;
	message_begin(&m, field, n);
	put(l, m.at, m.n);
}

static void
put_inside(struct log *l, unsigned field, const struct message *m)
{
	put_field(l, field, m->n);
	put(l, m->at, m->n);
}

/* What follows from the number of a block or series. */

static void
stamp(struct message *m, unsigned field, uint64_t block)
{
	uint64_t ns = block * STEP_NS;
	struct message t;

	t.n = 0;
	message_number(&t, 1, EPOCH + ns / NS);
	message_number(&t, 2, ns % NS);
	message_inside(m, field, &t);
}

static void
extras(struct message *m, uint64_t block, uint64_t n)
{
	struct message packed;

	packed.n = 0;
	for (uint64_t k = 0; k < n; k++)
		message_varint(&packed, block * (k + 1));
	if (n > 0)
		message_inside(m, 3, &packed);
}

static void
make_entry(const struct log *l, uint64_t block, uint64_t off, struct message *m)
{
	m->n = 0;
	stamp(m, 1, block);
	message_number(m, 2, off);
	extras(m, block, l->opt->extras);
}

static void
make_identifier(uint64_t index, struct message *m, uint64_t *hash)
{
	static const char type[] = "bench", key[] = "channel";
	uint8_t digest[br_sha1_SIZE];
	br_sha1_context sha1;
	char value[32];

	snprintf(value, sizeof(value), "/bench/%06u", (unsigned)index);
	m->n = 0;
	message_text(m, 1, type);
	message_pair(m, 2, key, value);

	br_sha1_init(&sha1);
	br_sha1_update(&sha1, type, strlen(type));
	br_sha1_update(&sha1, key, strlen(key));
	br_sha1_update(&sha1, value, strlen(value));
	br_sha1_out(&sha1, digest);
	*hash = 0;
	for (int i = 0; i < 8; i++)
		*hash = *hash << 8 | digest[i];
}

/* Blocks. */

/* Any descriptor: its body is put twice, the first time to be counted. */
static void
put_descriptor(struct log *l, unsigned field,
    void (*body)(struct log *, uint64_t), uint64_t arg)
{
	struct message tag;
	uint64_t start = l->at, n;

	l->counting = true;
	body(l, arg);
	l->counting = false;
	n = l->at - start;
	l->at = start;

	tag.n = 0;
	message_begin(&tag, field, n);
	put_header(l, DESCRIPTOR, tag.n + n);
	put(l, tag.at, tag.n);
	body(l, arg);
}

static void
file_format(struct log *l, uint64_t unused)
{
	struct message m, version;

	(void)unused;
	m.n = version.n = 0;
	message_number(&version, 1, 1);
	message_inside(&m, 1, &version);
	message_pair(&m, 2, "bench:writer", "make_log");
	message_number(&m, 3, CHECK_SHA1);
	message_number(&m, 4, br_sha1_SIZE);
	put(l, m.at, m.n);
}

static void
series(struct log *l, uint64_t index)
{
	struct message m, inner;
	char name[16];

	m.n = 0;
	message_number(&m, 1, index);
	make_identifier(index, &inner, &l->hash[index]);
	message_inside(&m, 2, &inner);
	message_number(&m, 3, l->hash[index]);
	inner.n = 0;
	message_text(&inner, 1, "application/octet-stream");
	message_inside(&m, 4, &inner);
	for (unsigned k = 0; k < l->opt->extras; k++) {
		snprintf(name, sizeof(name), "extra%u", k);
		message_text(&m, 8, name);
	}
	put(l, m.at, m.n);
}

static void
series_index(struct log *l, uint64_t index)
{
	struct message m;
	uint64_t bytes = 0;

	m.n = 0;
	message_number(&m, 1, index);
	message_number(&m, 2, l->series[index]);
	put(l, m.at, m.n);
	for (uint64_t i = index; i < l->n; i += l->opt->series) {
		make_entry(l, i, l->block[i], &m);
		put_inside(l, 3, &m);
		bytes += l->opt->payload;
	}
	m.n = 0;
	message_number(&m, 4, bytes);
	put(l, m.at, m.n);
}

/* A packed list with an element for each series. */
static void
put_list(struct log *l, unsigned field, const uint64_t *list)
{
	struct message m;
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < l->opt->series; i++) {
		m.n = 0;
		message_varint(&m, list[i]);
		bytes += m.n;
	}
	put_field(l, field, bytes);
	for (uint64_t i = 0; i < l->opt->series; i++) {
		m.n = 0;
		message_varint(&m, list[i]);
		put(l, m.at, m.n);
	}
}

static void
file_index(struct log *l, uint64_t unused)
{
	struct message m;

	(void)unused;
	for (uint64_t i = 0; i < l->opt->series; i++) {
		make_identifier(i, &m, &l->hash[i]);
		put_inside(l, 1, &m);
	}
	put_list(l, 2, l->index);
	put_list(l, 3, l->hash);
}

/* Each payload begins at another place of the noise. */
static void
put_payload(struct log *l, uint64_t block)
{
	uint64_t at = block * 4099 % sizeof(l->noise), take;

	for (uint64_t left = l->opt->payload; left > 0; left -= take) {
		take = sizeof(l->noise) - at;
		take = take < left ? take : left;
		put(l, l->noise + at, (size_t)take);
		at = 0;
	}
}

/* The next block, unless the finished file would then be over its size. */
static bool
put_block(struct log *l, uint64_t reserve)
{
	const struct options *o = l->opt;
	struct message m, entry;
	uint64_t bytes, needs;

	make_entry(l, l->n, l->at, &entry);
	m.n = 0;
	message_number(&m, 1, l->n % o->series);
	stamp(&m, 2, l->n);
	extras(&m, l->n, o->extras);

	bytes = 12 + m.n + o->payload;
	needs = l->entries + entry.n + 1 + (entry.n < 0x80 ? 1 : 2);
	if (l->n > 0 && l->at + bytes + needs + reserve > o->size)
		return false;
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 1024;
		l->block = numbers(l, l->block, l->cap);
	}
	l->block[l->n] = l->at;
	put_header(l, DATA, m.n + o->payload);
	put_fixed(l, m.n, 4);
	put(l, m.at, m.n);
	put_payload(l, l->n);
	l->n++;
	l->entries = needs;
	return true;
}

static void
put_footer(struct log *l)
{
	uint8_t digest[br_sha1_SIZE];
	uint64_t at;

	for (uint64_t i = 0; i < l->opt->series; i++) {
		l->index[i] = l->at;
		put_descriptor(l, INDEX, series_index, i);
	}
	at = l->at;
	put_descriptor(l, FILE_INDEX, file_index, 0);
	put_header(l, END, 24);
	put_fixed(l, at, 8);
	flush(l);
	br_sha1_out(&l->sha1, digest);
	put(l, digest, sizeof(digest));
	put(l, "FDDB", 4);
}

static void
put_log(struct log *l)
{
	/* At most, of the index: per series its block without the entries
	 * and its part of the FileIndex; then the rest and the end block. */
	uint64_t reserve = 128 * l->opt->series + 128;
	uint64_t x = 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < sizeof(l->noise); i++) { /* xorshift */
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		l->noise[i] = (uint8_t)(x >> 32);
	}
	put(l, "BDDF", 4);
	put_descriptor(l, FILE_FORMAT, file_format, 0);
	for (uint64_t i = 0; i < l->opt->series; i++) {
		l->series[i] = l->at;
		put_descriptor(l, SERIES, series, i);
	}
	while (put_block(l, reserve))
		;
	if (!l->opt->no_footer)
		put_footer(l);
	flush(l);
}

static _Noreturn void
usage(const char *wrong)
{
	fprintf(stderr,
	    "make_log: wrong: %s\n"
	    "usage: make_log [--size BYTES] [--payload BYTES] [--series N]\n"
	    "                [--extras N] [--no-footer] OUT\n"
	    "BYTES may end in K, M or G.  The file comes as near to --size\n"
	    "(1G) as whole blocks allow, but has one at least.\n",
	    wrong);
	exit(2);
}

/* The argument that getopt has come to. */
static uint64_t
parse(const char *name, uint64_t low, uint64_t high)
{
	static const char units[] = "KMG";
	const char *unit;
	unsigned shift = 0;
	uint64_t v;
	char *end;

	errno = 0;
	v = strtoull(optarg, &end, 10);
	if (*end != '\0' && (unit = strchr(units, *end)) != NULL) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
	}
	if (errno != 0 || end == optarg || *end != '\0' || *optarg == '-'
	    || v > high >> shift || v << shift < low)
		usage(name);
	return v << shift;
}

static void
parse_options(int argc, char **argv, struct options *o)
{
	static const struct option known[] = {
		{ "size", required_argument, NULL, 's' },
		{ "payload", required_argument, NULL, 'p' },
		{ "series", required_argument, NULL, 'n' },
		{ "extras", required_argument, NULL, 'e' },
		{ "no-footer", no_argument, NULL, 'f' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (c) {
		case 's': o->size = parse("--size", 0, SIZE_TOP); break;
		case 'p': o->payload = parse("--payload", 0, SIZE_TOP); break;
		case 'n': o->series = parse("--series", 1, SERIES_MAX); break;
		case 'e': o->extras = parse("--extras", 0, EXTRAS_MAX); break;
		case 'f': o->no_footer = true; break;
		default: usage("option");
		}
	}
	if (argc - optind != 1)
		usage("not one OUT");
	o->out = argv[optind];
}

int
main(int argc, char **argv)
{
	struct options o = {
		.size = (uint64_t)1 << 30, .payload = 100, .series = 1
	};
	static struct log l;

	parse_options(argc, argv, &o);
	l.opt = &o;
	l.series = numbers(&l, NULL, o.series);
	l.index = numbers(&l, NULL, o.series);
	l.hash = numbers(&l, NULL, o.series);
	l.fd = open(o.out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (l.fd < 0)
		fail(&l, "open");
	br_sha1_init(&l.sha1);
	put_log(&l);
	if (close(l.fd) != 0)
		fail(&l, "close");
	printf("blocks %llu bytes %llu\n", (unsigned long long)l.n,
	    (unsigned long long)l.at);
	/* What l holds goes with the process. */
	return fflush(stdout) == 0 ? 0 : 1;
}
