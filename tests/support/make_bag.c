/* make_bag.c - whole ROS 1 bags, for tests that count bytes. */
#include "support/make_bag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC  "#ROSBAG V2.0\n"
#define HEADER 4104 /* bytes of the bag header, filled up with spaces */
#define START  1700000000

static void
put32(struct blob *b, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		blob_byte(b, (uint8_t)(n >> 8 * i));
}

/* A field of n bytes. */
static void
put_field(struct blob *b, const char *name, const void *value, size_t n)
{
	put32(b, (uint32_t)(strlen(name) + 1 + n));
	blob_add(b, name, strlen(name));
	blob_byte(b, '=');
	blob_add(b, value, n);
}

static void
put_number(struct blob *b, const char *name, uint64_t number, size_t n)
{
	uint8_t value[8];

	for (size_t i = 0; i < n; i++)
		value[i] = (uint8_t)(number >> 8 * i);
	put_field(b, name, value, n);
}

/* A time of k seconds after the start. */
static void
put_time(struct blob *b, const char *name, uint32_t k)
{
	put_number(b, name, START + k, 8);
}

/* The header after its length, and that of the data; the header is empty
 * afterwards. */
static void
put_header(struct blob *b, struct blob *header, uint32_t data)
{
	put32(b, (uint32_t)header->n);
	blob_add(b, header->at, header->n);
	put32(b, data);
	header->n = 0;
}

static void
put_conn(struct blob *b, uint32_t conn)
{
	static const char type[] = "salvor_test/Imu", text[] = "int32 n\n";
	static const char sum[] = "0123456789abcdef0123456789abcdef";
	struct blob header = { 0 }, data = { 0 };
	char topic[16];

	snprintf(topic, sizeof(topic), "/t%u", conn);
	put_number(&header, "op", 7, 1);
	put_number(&header, "conn", conn, 4);
	put_field(&header, "topic", topic, strlen(topic));
	put_field(&data, "topic", topic, strlen(topic));
	put_field(&data, "type", type, strlen(type));
	put_field(&data, "md5sum", sum, strlen(sum));
	put_field(&data, "message_definition", text, strlen(text));
	put_header(b, &header, (uint32_t)data.n);
	blob_add(b, data.at, data.n);
	blob_free(&header);
	blob_free(&data);
}

static void
put_message(struct blob *b, uint32_t conn, uint32_t k, uint32_t payload)
{
	struct blob header = { 0 };

	put_number(&header, "op", 2, 1);
	put_number(&header, "conn", conn, 4);
	put_time(&header, "time", k);
	put_header(b, &header, payload);
	blob_fill(b, (uint8_t)k, payload);
	blob_free(&header);
}

/* One chunk and the index after it; its first message is number k. */
static void
put_chunk(struct blob *b, const struct bag_recipe *how, uint32_t k)
{
	uint32_t n = how->conns * how->each;
	uint32_t *at = must_alloc((n + 1) * sizeof(*at));
	struct blob data = { 0 }, header = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		if (k + i < how->conns)
			put_conn(&data, k + i);
		at[i] = (uint32_t)data.n;
		put_message(&data, i % how->conns, k + i, how->payload);
	}
	put_number(&header, "op", 5, 1);
	put_field(&header, "compression", "none", 4);
	put_number(&header, "size", data.n, 4);
	put_header(b, &header, (uint32_t)data.n);
	blob_add(b, data.at, data.n);
	for (uint32_t conn = 0; conn < how->conns; conn++) {
		put_number(&header, "op", 4, 1);
		put_number(&header, "ver", 1, 4);
		put_number(&header, "conn", conn, 4);
		put_number(&header, "count", how->each, 4);
		put_header(b, &header, 12 * how->each);
		for (uint32_t i = conn; i < n; i += how->conns) {
			put32(b, START + k + i);
			put32(b, 0);
			put32(b, at[i]);
		}
	}
	free(at);
	blob_free(&data);
	blob_free(&header);
}

static void
put_info(struct blob *b, const struct bag_recipe *how, uint32_t k, uint64_t at)
{
	struct blob header = { 0 };

	put_number(&header, "op", 6, 1);
	put_number(&header, "ver", 1, 4);
	put_number(&header, "chunk_pos", at, 8);
	put_time(&header, "start_time", k);
	put_time(&header, "end_time", k + how->conns * how->each - 1);
	put_number(&header, "count", how->conns, 4);
	put_header(b, &header, 8 * how->conns);
	for (uint32_t conn = 0; conn < how->conns; conn++) {
		put32(b, conn);
		put32(b, how->each);
	}
	blob_free(&header);
}

void
bag_put_header(
    struct made_bag *bag, uint64_t index_pos, uint32_t conns, uint32_t chunks)
{
	struct blob header = { 0 }, record = { 0 };

	put_number(&header, "op", 3, 1);
	put_number(&header, "index_pos", index_pos, 8);
	put_number(&header, "conn_count", conns, 4);
	put_number(&header, "chunk_count", chunks, 4);
	put_header(&record, &header, (uint32_t)(HEADER - 8 - header.n));
	blob_fill(&record, ' ', HEADER - record.n);
	memcpy(bag->bytes.at + strlen(MAGIC), record.at, HEADER);
	blob_free(&header);
	blob_free(&record);
}

void
make_bag(struct made_bag *bag, const struct bag_recipe *how)
{
	uint64_t *at = must_alloc((how->chunks + 1) * sizeof(*at));
	uint32_t n = how->conns * how->each;
	struct blob *b = &bag->bytes;

	*bag = (struct made_bag){ .index_pos = 0 };
	blob_add(b, MAGIC, strlen(MAGIC));
	blob_fill(b, 0, HEADER);
	for (uint32_t i = 0; i < how->chunks; i++) {
		at[i] = b->n;
		put_chunk(b, how, i * n);
	}
	bag->index_pos = b->n;
	for (uint32_t i = 0; i < how->conns; i++)
		put_conn(b, i);
	bag->infos = b->n;
	for (uint32_t i = 0; i < how->chunks; i++)
		put_info(b, how, i * n, at[i]);
	bag_put_header(bag, bag->index_pos, how->conns, how->chunks);
	free(at);
}

void
made_bag_free(struct made_bag *bag)
{
	blob_free(&bag->bytes);
}
