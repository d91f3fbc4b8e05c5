/* ros_service.c - the definition of a service event of ROS 2. */
#include "support/layouts/ros_service.h"

#include <string.h>

#include "core/format/records.h"

#define EVENT "_Event"
#define SRV   "/srv/"
#define NEXT  "====\nMSG: "

/* As service_msgs has it. */
#define INFO                                                                   \
	NEXT "service_msgs/ServiceEventInfo\n"                                 \
	     "uint8 event_type\n"                                              \
	     "builtin_interfaces/Time stamp\n"                                 \
	     "char[16] client_gid\n"                                           \
	     "int64 sequence_number\n"

/* The package and the name of the service; false: the type is no event of one. */
static bool
split(struct slv_span type, struct slv_span *package, struct slv_span *name)
{
	const size_t tail = sizeof(EVENT) - 1, infix = sizeof(SRV) - 1;
	const uint8_t *slash =
	    type.len > 0 ? memchr(type.at, '/', type.len) : NULL;

	if (slash == NULL)
		return false;
	package->at = type.at;
	package->len = (size_t)(slash - type.at);
	if (type.len - package->len < infix + tail + 1
	    || memcmp(slash, SRV, infix) != 0
	    || memcmp(type.at + type.len - tail, EVENT, tail) != 0)
		return false;
	name->at = slash + infix;
	name->len = type.len - package->len - infix - tail;
	return true;
}

/* Does a line begin so? */
static bool
begins(struct slv_span line, const char *with)
{
	size_t n = strlen(with);

	return line.len >= n && memcmp(line.at, with, n) == 0;
}

static struct slv_span
line_of(struct slv_span text, size_t at)
{
	const uint8_t *from = text.at + at;
	const uint8_t *end = memchr(from, '\n', text.len - at);

	return (struct slv_span){ from,
		end != NULL ? (size_t)(end - from) + 1 : text.len - at };
}

/* Where the request ends, and the response begins; false: there is no such line before
 * the types that follow. */
static bool
find_parts(struct slv_span text, size_t *from, size_t *mid, size_t *next)
{
	struct slv_span line;

	*from = 0;
	for (size_t at = 0; at < text.len; at += line.len) {
		line = line_of(text, at);
		/* Some versions name the service first. */
		if (begins(line, "SRV:"))
			*from = at + line.len;
		else if (begins(line, "====") && at > 0)
			return false;
		else if (begins(line, "---")) {
			*mid = at;
			*next = at + line.len;
			return true;
		}
	}
	return false;
}

static void
put_name(struct slv_buf *out, struct slv_span package, struct slv_span name,
    const char *tail)
{
	slv_buf_add(out, package.at, package.len);
	slv_buf_text(out, "/");
	slv_buf_add(out, name.at, name.len);
	slv_buf_text(out, tail);
}

enum slv_status
slv_ros_service(struct slv_span type, struct slv_span text, struct slv_buf *out,
    struct slv_err *err)
{
	struct slv_span package, name;
	size_t from, mid, next;

	if (!split(type, &package, &name)
	    || !find_parts(text, &from, &mid, &next))
		return SLV_OK;
	slv_buf_text(out, "service_msgs/ServiceEventInfo info\n");
	put_name(out, package, name, "_Request[<=1] request\n");
	put_name(out, package, name, "_Response[<=1] response\n");
	slv_buf_text(out, INFO NEXT);
	put_name(out, package, name, "_Request\n");
	slv_buf_add(out, text.at + from, mid - from);
	slv_buf_text(out, NEXT);
	put_name(out, package, name, "_Response\n");
	/* And the types that both have in them. */
	slv_buf_add(out, text.at + next, text.len - next);
	return slv_buf_check(out, err);
}
