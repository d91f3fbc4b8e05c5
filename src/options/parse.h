/* parse.h - words and numbers, as the arguments of options have them. */
#ifndef SLV_OPTIONS_PARSE_H
#define SLV_OPTIONS_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word that means a number. */
struct slv_word {
	const char *name;
	unsigned number;
};

/* The number of the word that the first n bytes of text are; false: none. */
bool slv_parse_word(const char *text, size_t n, const struct slv_word *words,
    size_t n_words, unsigned *out);

/* Set the bits of words with commas between them; false: none is set. */
bool slv_parse_bits(unsigned *bits, const char *text,
    const struct slv_word *words, size_t n_words);

/* A number and what follows it; false: there is none, or it has more than 10
 * digits. */
bool slv_parse_number(const char *text, uint64_t *out, const char **unit);

#endif
