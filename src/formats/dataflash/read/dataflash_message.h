/* dataflash_message.h - the head of a message, and what an FMT says of its type. */
#ifndef SLV_FORMATS_DATAFLASH_MESSAGE_H
#define SLV_FORMATS_DATAFLASH_MESSAGE_H

#include "base/bytes.h"

#define DATAFLASH_HEAD    3 /* bytes in front of the fields: A3 95, type */
#define DATAFLASH_LONGEST UINT8_MAX
#define DATAFLASH_MAGIC   "\xa3\x95\x80"

/* How an encrypted log begins, with the NUL at the end. */
#define DATAFLASH_ENCRYPTED "APLOGE1"

/* An FMT: head, type, length, name, letters of the fields, their names.  The texts
 * are filled with NUL, and have none when they are full. */
#define DATAFLASH_FMT         128 /* its type */
#define DATAFLASH_FMT_SIZE    89
#define DATAFLASH_FMT_TYPE    3
#define DATAFLASH_FMT_LENGTH  4
#define DATAFLASH_FMT_NAME    5
#define DATAFLASH_FMT_LETTERS 9
#define DATAFLASH_FMT_COLUMNS 25
#define DATAFLASH_NAME_SIZE   4
#define DATAFLASH_LETTERS     16

/* What a unit is; row 0 is for bytes that are not a unit. */
enum dataflash_tag {
	DATAFLASH_TAG_NONE,
	DATAFLASH_TAG_FORMAT,
	DATAFLASH_TAG_DATA,
	DATAFLASH_TAG_UNKNOWN, /* a message of a type without a format */
	DATAFLASH_TAG_PADDING,
	DATAFLASH_TAG_LOG, /* the beginning of another log, or an encrypted one */
	DATAFLASH_TAGS
};
extern const char *const dataflash_kinds[DATAFLASH_TAGS];

/* The first message of every log: the FMT of FMT. */
extern const uint8_t dataflash_first[DATAFLASH_FMT_SIZE];

enum dataflash_sense {
	DATAFLASH_NO_FMT, /* no writer writes this */
	DATAFLASH_ODD,    /* an FMT that contradicts itself */
	DATAFLASH_VAGUE,  /* one of a writer that forgot a letter: real logs
			   * have those, of types that never occur */
	DATAFLASH_SOUND,
};
enum dataflash_sense dataflash_sense_of(const uint8_t fmt[DATAFLASH_FMT_SIZE]);

/* One field of an FMT that is sound. */
struct dataflash_field {
	uint8_t letter, size;
	uint32_t at; /* offset in the message */
	struct slv_span name;
	size_t i;        /* letters so far */
	uint32_t column; /* ... and bytes of names */
};

/* The next field, the first one of all zeros; false: there is none. */
bool dataflash_field_next(const uint8_t *fmt, struct dataflash_field *);

/* The offset of the field in a message; 0: there is none with this name and
 * letter. */
uint32_t dataflash_field_at(
    const uint8_t *fmt, const char *name, uint8_t letter);

/* A text that NUL fills. */
struct slv_span dataflash_text(const uint8_t *, size_t size);

static inline struct slv_span
dataflash_name(const uint8_t *fmt)
{
	return dataflash_text(fmt + DATAFLASH_FMT_NAME, DATAFLASH_NAME_SIZE);
}

static inline bool
dataflash_is_head(const uint8_t *p)
{
	return p[0] == 0xa3 && p[1] == 0x95;
}

#endif
