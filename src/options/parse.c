/* parse.c - words and numbers, as the arguments of options have them. */
#include "options/parse.h"

#include <stdlib.h>
#include <string.h>

bool
slv_parse_word(const char *text, size_t n, const struct slv_word *words,
    size_t n_words, unsigned *out)
{
	for (size_t i = 0; i < n_words; i++) {
		if (strlen(words[i].name) == n
		    && memcmp(words[i].name, text, n) == 0) {
			*out = words[i].number;
			return true;
		}
	}
	return false;
}

bool
slv_parse_bits(unsigned *bits, const char *text, const struct slv_word *words,
    size_t n_words)
{
	unsigned all = 0;

	for (;;) {
		size_t len = strcspn(text, ",");
		unsigned bit;

		if (!slv_parse_word(text, len, words, n_words, &bit))
			return false;
		all |= bit;
		if (text[len] == '\0')
			break;
		text += len + 1;
	}
	*bits |= all;
	return true;
}

bool
slv_parse_number(const char *text, uint64_t *out, const char **unit)
{
	size_t n = strspn(text, "0123456789");

	*out = strtoull(text, NULL, 10);
	*unit = text + n;
	return n > 0 && n <= 10;
}
