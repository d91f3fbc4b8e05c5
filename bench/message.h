/* message.h - put a small protobuf message together in one place.
 *
 * As proto3 has it, numbers that are zero are not written.  What goes in has
 * to fit: there is no check, the largest message here is known beforehand.
 */
#ifndef BENCH_MESSAGE_H
#define BENCH_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

struct message {
	size_t n;
	uint8_t at[2048];
};

void message_varint(struct message *, uint64_t);
void message_number(struct message *, unsigned field, uint64_t);
void message_text(struct message *, unsigned field, const char *);
void message_inside(
    struct message *, unsigned field, const struct message *inner);

/* An entry of a map. */
void message_pair(
    struct message *, unsigned field, const char *key, const char *value);

/* The tag and length of a field whose n bytes follow. */
void message_begin(struct message *, unsigned field, uint64_t n);

#endif
