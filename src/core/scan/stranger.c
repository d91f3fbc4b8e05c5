/* stranger.c - files that are no log, or no log that a driver here reads. */
#include "core/scan/stranger.h"

#include <string.h>

#include "base/bytes.h"

#define MAGIC(at, text)                                                        \
	{                                                                      \
		.off = (at), .n = sizeof(text) - 1, .bytes = (text)            \
	}

static bool
is_empty(const struct slv_look *l)
{
	return l->size == 0;
}

static bool
is_zeros(const struct slv_look *l)
{
	return l->size > 0 && l->logical_end == 0;
}

/* The bits of the flags that no version uses are 0. */
static bool
is_gzip(const struct slv_look *l)
{
	return l->n >= 10 && (l->head[3] & 0xe0) == 0;
}

/* The digit is the size of a block; after it the first block, or the end. */
static bool
is_bzip2(const struct slv_look *l)
{
	return l->n >= 10 && l->head[3] >= '1' && l->head[3] <= '9'
	    && (memcmp(l->head + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0
	        || memcmp(l->head + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

/* A number in octal digits, as tar has them. */
static uint64_t
octal(const uint8_t *p, size_t n)
{
	uint64_t value = 0;

	while (n > 0 && *p == ' ')
		p++, n--;
	for (; n > 0 && *p >= '0' && *p <= '7'; p++, n--)
		value = value << 3 | (uint64_t)(*p - '0');
	return value;
}

/* The header's own sum, taken with spaces in its place. */
static bool
is_tar(const struct slv_look *l)
{
	enum { HEADER = 512, SUM = 148, SUM_SIZE = 8 };
	uint64_t sum = (uint64_t)SUM_SIZE * ' ';

	if (l->n < HEADER)
		return false;
	for (size_t i = 0; i < HEADER; i++) {
		if (i < SUM || i >= SUM + SUM_SIZE)
			sum += l->head[i];
	}
	return sum == octal(l->head + SUM, SUM_SIZE);
}

/* After a byte order mark and spaces. */
static size_t
text_start(const struct slv_look *l)
{
	size_t at =
	    l->n >= 3 && memcmp(l->head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (at < l->n && strchr(" \t\r\n", l->head[at]) != NULL
	    && l->head[at] != '\0')
		at++;
	return at;
}

/* Whether it begins so, in either case; word is in lower case. */
static bool
begins(const struct slv_look *l, const char *word)
{
	size_t at = text_start(l), n = strlen(word);

	if (!slv_range_in(at, n, l->n))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint8_t c = l->head[at + i];

		if (c >= 'A' && c <= 'Z')
			c = (uint8_t)(c - 'A' + 'a');
		if (c != (uint8_t)word[i])
			return false;
	}
	return true;
}

static bool
is_html(const struct slv_look *l)
{
	return begins(l, "<!doctype html") || begins(l, "<html");
}

static bool
is_xml(const struct slv_look *l)
{
	return begins(l, "<?xml") || begins(l, "<error>");
}

/* Bytes of the UTF-8 character at p, of which n are there; 0: it is none or
 * no text has it.  One that the end of the head cuts counts as whole. */
static size_t
character(const uint8_t *p, size_t n)
{
	size_t len = *p < 0x80        ? 1
	    : *p >= 0xc2 && *p < 0xe0 ? 2
	    : (*p & 0xf0) == 0xe0     ? 3
	    : *p >= 0xf0 && *p < 0xf5 ? 4
	                              : 0;

	if (len == 1)
		return (*p >= ' ' && *p != 0x7f) || (*p >= '\b' && *p <= '\r')
		        || *p == 0x1b
		    ? 1
		    : 0;
	for (size_t i = 1; i < len && i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	return len;
}

/* At least four characters: what is left of a magic is no text. */
static bool
is_text(const struct slv_look *l)
{
	size_t n = (size_t)slv_min64(l->n, l->logical_end), at = 0;

	while (at < n) {
		size_t len = character(l->head + at, n - at);

		if (len == 0 || (len > n - at && n == l->logical_end))
			return false;
		at += len;
	}
	return n >= 4;
}

/* A line of text may begin with a bracket as well: "[INFO] ...". */
static bool
is_json(const struct slv_look *l)
{
	size_t at = text_start(l);
	const char *next;
	uint8_t open;

	if (at == l->n || (l->head[at] != '{' && l->head[at] != '['))
		return false;
	open = l->head[at++];
	next = open == '{' ? "\"}" : "[{\"]";
	while (at < l->n
	    && (l->head[at] == ' ' || l->head[at] == '\n' || l->head[at] == '\r'
	        || l->head[at] == '\t'))
		at++;
	return at < l->n && l->head[at] != '\0'
	    && strchr(next, l->head[at]) != NULL && is_text(l);
}

static const struct slv_stranger strangers[] = {
	{
	    .id = "empty",
	    .title = "an empty file",
	    .advice = "Nothing of it reached the disk, or a copy failed: look "
	              "for another copy.",
	    .test = is_empty,
	},
	{
	    .id = "zeros",
	    .title = "nothing but zeros",
	    .advice = "Its bytes never reached the disk, or a copy failed: "
	              "look for another copy.",
	    .test = is_zeros,
	},
	{
	    .id = "git-lfs",
	    .title = "a Git LFS pointer, not the file that it stands for",
	    .advice = "Fetch the file with \"git lfs pull\", then run salvor "
	              "again.",
	    .magic = MAGIC(0, "version https://git-lfs.github.com/spec/v"),
	},
	{
	    .id = "html",
	    .title = "an HTML page",
	    .advice = "A download has saved an error or login page under the "
	              "name of the log: read it, and download again.",
	    .test = is_html,
	},
	{
	    .id = "xml",
	    .title = "an XML document",
	    .advice = "A download may have saved an error message under the "
	              "name of the log: read it, and download again.",
	    .test = is_xml,
	},
	{
	    .id = "gzip",
	    .title = "compressed with gzip",
	    .decoder = "gzip -dc",
	    .advice = "Try \"gzip -dc <IN >OUT\", then salvor on OUT.",
	    .outer = true,
	    .magic = MAGIC(0, "\x1f\x8b\x08"),
	    .test = is_gzip,
	},
	{
	    .id = "zstd",
	    .title = "compressed with zstd",
	    .decoder = "zstd -dc",
	    .advice = "Try \"zstd -dc <IN >OUT\", then salvor on OUT.",
	    .outer = true,
	    .magic = MAGIC(0, "\x28\xb5\x2f\xfd"),
	},
	{
	    .id = "xz",
	    .title = "compressed with xz",
	    .decoder = "xz -dc",
	    .advice = "Try \"xz -dc <IN >OUT\", then salvor on OUT.",
	    .outer = true,
	    .magic = MAGIC(0, "\xfd\x37zXZ\0"),
	},
	{
	    .id = "bzip2",
	    .title = "compressed with bzip2",
	    .decoder = "bzip2 -dc",
	    .advice = "Try \"bzip2 -dc <IN >OUT\", then salvor on OUT; of a "
	              "damaged file \"bzip2recover IN\" saves the blocks "
	              "that are whole.",
	    .outer = true,
	    .magic = MAGIC(0, "BZh"),
	    .test = is_bzip2,
	},
	{
	    .id = "lz4",
	    .title = "compressed with lz4",
	    .decoder = "lz4 -dc",
	    .advice = "Try \"lz4 -dc <IN >OUT\", then salvor on OUT.",
	    .outer = true,
	    .magic = MAGIC(0, "\x04\x22\x4d\x18"),
	},
	{
	    .id = "zip",
	    .title = "a zip archive",
	    .advice = "Try \"unzip IN\", then salvor on what comes out.",
	    .outer = true,
	    .magic = MAGIC(0, "PK\3\4"),
	},
	{
	    .id = "tar",
	    .title = "a tar archive",
	    .advice = "Try \"tar -xf IN\", then salvor on what comes out.",
	    .outer = true,
	    .magic = MAGIC(257, "ustar"),
	    .test = is_tar,
	},
	{
	    .id = "sqlite",
	    .title = "an SQLite database, such as a ROS 2 bag",
	    .advice = "Try \"sqlite3 IN .recover | sqlite3 OUT\", with the "
	              "sqlite3 of sqlite.org where the installed one cannot; "
	              "where the bag's metadata.yaml is missing, \"ros2 bag "
	              "reindex\" rebuilds it.",
	    .outer = true,
	    .magic = MAGIC(0, "SQLite format 3\0"),
	},
	{
	    .id = "rosbag-crlf",
	    .title = "a ROS 1 bag that was copied as if it were text",
	    .advice = "A transfer in text mode, such as FTP's, has put a "
	              "carriage return in front of every line feed in it, "
	              "wherever one stood. Copy it again, in binary mode. If "
	              "that cannot be done, \"LC_ALL=C sed 's/\\r$//' <IN "
	              ">OUT\" takes them out again, unless some were left "
	              "as they were; then salvor on OUT, which shows that.",
	    .outer = true,
	    .magic = MAGIC(0, "#ROSBAG V2.0\r\n"),
	},
	{
	    .id = "salvor-report",
	    .title = "a report of salvor",
	    .advice = "It says what a repair lost: read it, and verify the log "
	              "that it is next to.",
	    .magic = MAGIC(0, "{\"type\":\"file\",\"schema\":"),
	},
	{
	    .id = "json",
	    .title = "JSON",
	    .advice = "A download may have saved an error message under the "
	              "name of the log: read it, and download again.",
	    .test = is_json,
	},
	{
	    .id = "text",
	    .title = "plain text",
	    .advice = "Read it: it may say why the log is not there.",
	    .test = is_text,
	},
};

const struct slv_stranger slv_stranger_packed = {
	.id = "zstd",
	.title = "compressed with zstd, and nothing of it can be decompressed",
	.advice =
	    "Its first block is cut, or damage is in the first two blocks. "
	    "Copy or download the file again.",
	.outer = true,
};

const struct slv_stranger *
slv_stranger_at(size_t i)
{
	return i < sizeof(strangers) / sizeof(*strangers) ? &strangers[i]
	                                                  : NULL;
}

static bool
knows(const struct slv_stranger *s, const struct slv_look *l)
{
	return slv_range_in(s->magic.off, s->magic.n, l->n)
	    && (s->magic.n == 0
	        || memcmp(l->head + s->magic.off, s->magic.bytes, s->magic.n)
	            == 0)
	    && (s->test == NULL || s->test(l));
}

const struct slv_stranger *
slv_stranger_find(const struct slv_look *l)
{
	const struct slv_stranger *s;

	for (size_t i = 0; (s = slv_stranger_at(i)) != NULL; i++) {
		if (knows(s, l))
			return s;
	}
	return NULL;
}
