/* dataflash_message.c - the content of an FMT, and whether it is consistent.
 *
 * An FMT states the length of a type, and a letter and a name for each field.  The
 * letters give a length, too: so most damage makes these contradict each other.
 */
#include "formats/dataflash/read/dataflash_message.h"

const char *const dataflash_kinds[DATAFLASH_TAGS] = {
	[DATAFLASH_TAG_NONE] = "message",
	[DATAFLASH_TAG_FORMAT] = "format",
	[DATAFLASH_TAG_DATA] = "message",
	[DATAFLASH_TAG_UNKNOWN] = "message",
	[DATAFLASH_TAG_PADDING] = "padding",
	[DATAFLASH_TAG_LOG] = "log",
};

const uint8_t dataflash_first[DATAFLASH_FMT_SIZE] =
    "\xa3\x95\x80\x80\x59"
    "FMT\0"
    "BBnNZ\0\0\0\0\0\0\0\0\0\0\0"
    "Type,Length,Name,Format,Columns";

/* Bytes of a field, by its letter. */
static const uint8_t sizes[UINT8_MAX + 1] = {
	['a'] = 64,
	['b'] = 1,
	['B'] = 1,
	['M'] = 1,
	['h'] = 2,
	['H'] = 2,
	['c'] = 2,
	['C'] = 2,
	['g'] = 2,
	['i'] = 4,
	['I'] = 4,
	['e'] = 4,
	['E'] = 4,
	['L'] = 4,
	['f'] = 4,
	['n'] = 4,
	['d'] = 8,
	['q'] = 8,
	['Q'] = 8,
	['N'] = 16,
	['Z'] = 64,
};

struct slv_span
dataflash_text(const uint8_t *p, size_t size)
{
	const uint8_t *end = memchr(p, '\0', size);

	return (struct slv_span){ p, end == NULL ? size : (size_t)(end - p) };
}

static bool
is_letter(uint8_t c)
{
	return (uint8_t)((c | 0x20) - 'a') < 26;
}

static bool
is_digit(uint8_t c)
{
	return (uint8_t)(c - '0') < 10;
}

static bool
is_name(uint8_t c)
{
	return is_digit(c) || (uint8_t)(c - 'A') < 26;
}

static bool
is_column(uint8_t c)
{
	return is_digit(c) || is_letter(c) || c == '_' || c == '.' || c == ',';
}

/* A text of such characters, and then nothing but NUL. */
static bool
is_text(const uint8_t *p, size_t size, bool (*is)(uint8_t))
{
	size_t n = dataflash_text(p, size).len;

	for (size_t i = 0; i < size; i++) {
		if (i < n ? !is(p[i]) : p[i] != 0)
			return false;
	}
	return true;
}

static unsigned
count_columns(const uint8_t *fmt)
{
	const struct slv_span text = dataflash_text(fmt + DATAFLASH_FMT_COLUMNS,
	    DATAFLASH_FMT_SIZE - DATAFLASH_FMT_COLUMNS);
	unsigned n = text.len > 0;

	for (size_t i = 0; i < text.len; i++)
		n += text.at[i] == ',';
	return n;
}

enum dataflash_sense
dataflash_sense_of(const uint8_t fmt[DATAFLASH_FMT_SIZE])
{
	const struct slv_span letters =
	    dataflash_text(fmt + DATAFLASH_FMT_LETTERS, DATAFLASH_LETTERS);
	unsigned length = fmt[DATAFLASH_FMT_LENGTH], sum = DATAFLASH_HEAD;
	unsigned columns = count_columns(fmt);
	bool known = true;

	if (memcmp(fmt, DATAFLASH_MAGIC, DATAFLASH_HEAD) != 0
	    || dataflash_name(fmt).len == 0
	    || !is_text(fmt + DATAFLASH_FMT_NAME, DATAFLASH_NAME_SIZE, is_name)
	    || !is_text(
	        fmt + DATAFLASH_FMT_LETTERS, DATAFLASH_LETTERS, is_letter)
	    || !is_text(fmt + DATAFLASH_FMT_COLUMNS,
	        DATAFLASH_FMT_SIZE - DATAFLASH_FMT_COLUMNS, is_column))
		return DATAFLASH_NO_FMT;
	if (fmt[DATAFLASH_FMT_TYPE] == DATAFLASH_FMT)
		return memcmp(fmt, dataflash_first, DATAFLASH_FMT_COLUMNS) == 0
		    ? DATAFLASH_SOUND
		    : DATAFLASH_ODD;
	for (size_t i = 0; i < letters.len; i++) {
		known &= sizes[letters.at[i]] > 0;
		sum += sizes[letters.at[i]];
	}
	if (known && length == sum && columns == letters.len)
		return DATAFLASH_SOUND;
	return known && length > sum && columns == letters.len + 1
	    ? DATAFLASH_VAGUE
	    : DATAFLASH_ODD;
}

bool
dataflash_field_next(const uint8_t *fmt, struct dataflash_field *f)
{
	const struct slv_span names =
	    dataflash_text(fmt + DATAFLASH_FMT_COLUMNS,
	        DATAFLASH_FMT_SIZE - DATAFLASH_FMT_COLUMNS);
	const uint8_t *comma;

	if (f->i == DATAFLASH_LETTERS || fmt[DATAFLASH_FMT_LETTERS + f->i] == 0)
		return false;
	f->at = f->i == 0 ? DATAFLASH_HEAD : f->at + f->size;
	f->letter = fmt[DATAFLASH_FMT_LETTERS + f->i++];
	f->size = sizes[f->letter];
	f->name =
	    (struct slv_span){ names.at + f->column, names.len - f->column };
	comma = memchr(f->name.at, ',', f->name.len);
	if (comma != NULL)
		f->name.len = (size_t)(comma - f->name.at);
	f->column += (uint32_t)f->name.len + (comma != NULL);
	return true;
}

uint32_t
dataflash_field_at(const uint8_t *fmt, const char *name, uint8_t letter)
{
	struct dataflash_field f = { .i = 0 };

	while (dataflash_field_next(fmt, &f)) {
		if (f.letter == letter && f.name.len == strlen(name)
		    && memcmp(f.name.at, name, f.name.len) == 0)
			return f.at;
	}
	return 0;
}
