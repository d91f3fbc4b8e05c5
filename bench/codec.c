/* codec.c - nothing but a CRC-32, or decompression, for bench/codec-speed.
 *
 * usage: codec crc32 FILE
 *        codec pack zstd|lz4 FILE OUT
 *        codec unpack zstd|lz4 OUT
 *
 * OUT holds a frame for each MiB of FILE, and OUT.sizes how long each is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "codec/codec.h"
#include "digest/crc32.h"
#include "io/read/slurp.h"

#define STRIDE ((size_t)256 << 10) /* bytes read at once, as in salvor */
#define CHUNK  ((size_t)1 << 20)

static FILE *
must_open(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (file == NULL) {
		perror(path);
		exit(1);
	}
	setvbuf(file, NULL, _IONBF, 0);
	return file;
}

static void
must(enum slv_status st, const struct slv_err *err)
{
	if (st == SLV_OK)
		return;
	fprintf(stderr, "codec: %s\n", err->text);
	exit(1);
}

static void
crc32_of(const char *path)
{
	FILE *file = must_open(path, "rb");
	uint8_t *room = slv_alloc_pages(STRIDE);
	uint32_t crc = 0;
	size_t n;

	while (room != NULL && (n = fread(room, 1, STRIDE, file)) > 0)
		crc = slv_crc32(crc, room, n);
	printf("%08x  %s\n", crc, path);
	free(room);
	fclose(file);
}

static void
read_all(const char *path, struct slv_buf *to)
{
	const struct slv_slurp any = { .what = "a file" };
	struct slv_err err = { 0 };

	must(slv_slurp_path(path, &any, to, &err), &err);
}

static char *
sizes_of(const char *path)
{
	struct slv_buf name = { 0 };

	slv_buf_printf(&name, "%s.sizes", path);
	return slv_buf_take(&name);
}

static void
pack(bool zstd, const char *from, const char *to)
{
	char *sizes = sizes_of(to);
	FILE *out = must_open(to, "wb"), *index = must_open(sizes, "wb");
	struct slv_buf in = { 0 }, frame = { 0 };
	struct slv_err err = { 0 };

	read_all(from, &in);
	for (size_t at = 0; at < in.len; at += CHUNK) {
		size_t n = in.len - at < CHUNK ? in.len - at : CHUNK;
		uint8_t size[4];

		frame.len = 0;
		must(zstd ? slv_encode_zstd(
		         in.at + at, n, SLV_ZSTD_LEVEL, &frame, &err)
		          : slv_encode_lz4(
		              in.at + at, n, SLV_LZ4_PLAIN, &frame, &err),
		    &err);
		slv_put_le32(size, (uint32_t)frame.len);
		fwrite(size, 1, sizeof(size), index);
		fwrite(frame.at, 1, frame.len, out);
	}
	fclose(out);
	fclose(index);
	free(sizes);
	slv_buf_free(&in);
	slv_buf_free(&frame);
}

/* As a driver does it: chunk by chunk, into the same memory. */
static void
unpack(bool zstd, const char *path)
{
	enum slv_codec_kind kind = zstd ? SLV_CODEC_ZSTD : SLV_CODEC_LZ4;
	char *sizes = sizes_of(path);
	FILE *file = must_open(path, "rb");
	struct slv_buf index = { 0 }, room = { 0 };
	uint8_t *in = slv_alloc_pages(2 * CHUNK);

	read_all(sizes, &index);
	for (size_t i = 0; in != NULL && i < index.len; i += 4) {
		size_t n = slv_get_le32(index.at + i);
		struct slv_err err = { 0 };
		struct slv_decode d;

		if (n > 2 * CHUNK || fread(in, 1, n, file) != n)
			exit(1);
		must(slv_decode_into(
		         &room, kind, in, n, CHUNK, CHUNK, NULL, &d, &err),
		    &err);
		if (d.how != SLV_DECODED_WHOLE)
			exit(1);
		room = d.out;
		d.out = (struct slv_buf){ 0 };
		slv_decode_free(&d);
	}
	free(in);
	free(sizes);
	slv_buf_free(&index);
	slv_buf_free(&room);
	fclose(file);
}

int
main(int argc, char **argv)
{
	bool zstd = argc > 3 && strcmp(argv[2], "zstd") == 0;

	if (argc == 3 && strcmp(argv[1], "crc32") == 0) {
		crc32_of(argv[2]);
	} else if (argc == 5 && strcmp(argv[1], "pack") == 0) {
		pack(zstd, argv[3], argv[4]);
	} else if (argc == 4 && strcmp(argv[1], "unpack") == 0) {
		unpack(zstd, argv[3]);
	} else {
		fputs("usage: codec crc32|pack|unpack ...\n", stderr);
		return 16;
	}
	return 0;
}
