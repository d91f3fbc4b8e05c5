/* sums.c - digests as `sha256sum -c` reads them. */
#include "report/sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/hex.h"
#include "report/json/json_object.h"
#include "report/report.h"

/* The escapes of GNU sha256sum: a backslash before the line says that the name
 * has some. */
static void
put_name(struct slv_buf *out, const char *name)
{
	for (; *name != '\0'; name++) {
		switch (*name) {
		case '\\': slv_buf_text(out, "\\\\"); break;
		case '\n': slv_buf_text(out, "\\n"); break;
		case '\r': slv_buf_text(out, "\\r"); break;
		default: slv_buf_add(out, name, 1); break;
		}
	}
}

/* Standard input and output have no name to check. */
void
slv_sums_put(struct slv_buf *out, const uint8_t *digest, const char *name)
{
	char hex[SLV_HEX(SLV_SHA256_SIZE)];

	if (strcmp(name, "-") == 0)
		return;
	if (name[strcspn(name, "\\\n\r")] != '\0')
		slv_buf_text(out, "\\");
	slv_hex(hex, digest, SLV_SHA256_SIZE);
	slv_buf_printf(out, "%s  ", hex);
	put_name(out, name);
	slv_buf_text(out, "\n");
}

char *
slv_report_sums(const struct slv_report *r)
{
	struct slv_buf out = { 0 };

	if (r->has_sha256)
		slv_sums_put(&out, r->sha256, r->file);
	if (r->has_output_sha256
	    && (r->outcome == SLV_OUT_WRITTEN || r->outcome == SLV_OUT_ALREADY))
		slv_sums_put(&out, r->output_sha256, r->output);
	return slv_buf_take(&out);
}

/* Return true if JSON has this path. */
static bool
is_text_of(const char *path, const char *text)
{
	json_t *is = slv_json_text(path);
	bool same = is != NULL && strcmp(json_string_value(is), text) == 0;

	json_decref(is);
	return same;
}

/* The line of an object that has a digest, or lacks it. */
static void
put_told(struct slv_buf *out, const json_t *o, const char *path)
{
	const char *hex = json_string_value(json_object_get(o, "sha256"));
	uint8_t digest[SLV_SHA256_SIZE];

	if (hex != NULL && slv_hex_read(hex, digest, sizeof(digest)))
		slv_sums_put(out, digest, path);
}

char *
slv_sums_of_json(const char *report, const char *file, const char *output)
{
	json_t *json = json_loads(report, 0, NULL);
	const json_t *there = json_object_get(json, "output");
	struct slv_buf out = { .failed = json == NULL };
	char *path = slv_get_path(there, "path", "path_base64");

	put_told(&out, json, file);
	if (path != NULL && output != NULL && is_text_of(path, output))
		put_told(&out, there, path);
	slv_free(path);
	json_decref(json);
	return slv_buf_take(&out);
}
