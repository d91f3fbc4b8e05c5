/* ulog_message.h - one message: is it, by itself, what a logger writes? */
#ifndef SLV_FORMATS_ULOG_MESSAGE_H
#define SLV_FORMATS_ULOG_MESSAGE_H

#include "base/bytes.h"

#define ULOG_MAGIC        "ULog\x01\x12\x35"
#define ULOG_MAGIC_SIZE   7
#define ULOG_ENCRYPTED    "ULogEnc"
#define ULOG_HEADER       16 /* bytes: magic, version, time */
#define ULOG_HEAD         3  /* bytes in front of a body: size, type */
#define ULOG_FLAGS_SIZE   40
#define ULOG_INCOMPAT     8  /* offset in the flags */
#define ULOG_APPENDED     16 /* the same: three offsets */
#define ULOG_HAS_APPENDED 1  /* bit of the incompatible flags */
#define ULOG_HAS_DEFAULTS 1  /* bit of the compatible flags */

/* What a unit is; row 0 is for bytes that are not a unit. */
enum ulog_tag {
	ULOG_TAG_NONE,
	ULOG_TAG_HEADER,
	ULOG_TAG_FLAGS,
	ULOG_TAG_FORMAT,
	ULOG_TAG_INFO,
	ULOG_TAG_PARAMETER,
	ULOG_TAG_SUB,
	ULOG_TAG_DATA,
	ULOG_TAG_TEXT,
	ULOG_TAG_MARK,  /* of the writer: sync, dropout, unsubscription */
	ULOG_TAG_OTHER, /* unknown, of a sound structure */
	ULOG_TAG_CUT, /* a message that a crash has cut, before appended ones */
	ULOG_TAG_LOG, /* the beginning of another log, or an encrypted one */
	ULOG_TAGS
};
extern const char *const ulog_kinds[ULOG_TAGS];

struct ulog_message {
	uint8_t type;
	uint32_t size; /* of the body */
	const uint8_t *body;
};

/* ULOG_TAG_NONE: the type is unknown. */
enum ulog_tag ulog_tag_of(uint8_t type);

/* Return true if these can be the first bytes of a message that a logger writes.  Messages
 * of data, and of types with bodies of any content, cannot be checked here. */
#define ULOG_MARK 12 /* bytes that are examined */
bool ulog_is_mark(const uint8_t p[ULOG_MARK]);

/* Return true if a body of the type can have this size. */
bool ulog_is_size(uint8_t type, uint32_t size);

/* Return true if the body is valid for its type.  Data cannot be checked here. */
bool ulog_is_sound(const struct ulog_message *);

/* The key and the value of an I, M, P or Q that is sound: "type name". */
void ulog_pair(
    const struct ulog_message *, struct slv_span *key, struct slv_span *value);

/* One field of a format, and the rest of its fields; false: there is none, or
 * this is no format. */
struct ulog_field {
	struct slv_span type, name;
	uint32_t count;   /* of an array, otherwise 1 */
	uint32_t element; /* bytes of one; 0: another format is its type */
};
bool ulog_field_next(struct slv_span *rest, struct ulog_field *);

/* The name of a format, and its fields. */
bool ulog_format_split(
    struct slv_span text, struct slv_span *name, struct slv_span *fields);

bool ulog_is_name(struct slv_span);

static inline uint16_t
ulog_id(const struct ulog_message *m)
{
	return slv_get_le16(m->body);
}

#endif
