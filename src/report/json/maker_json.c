/* maker_json.c - the run that made a report, as JSON. */
#include "report/json/maker_json.h"

#include <time.h>

#include "report/json/json_object.h"
#include "report/json/json_text.h"

json_t *
slv_json_maker(const struct slv_report *r)
{
	const struct slv_maker *m = r->maker;
	struct slv_object o = slv_object();
	char text[sizeof("2000-01-01T00:00:00Z")];
	time_t when = (time_t)r->made_at;
	struct tm tm;
	bool good = gmtime_r(&when, &tm) != NULL
	    && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm) > 0;

	slv_put(&o, "salvor", json_string(slv_version()));
	slv_put(&o, "date", slv_json_text(good ? text : NULL));
	slv_put(&o, "host", slv_json_text(m != NULL ? m->host : NULL));
	slv_put(&o, "command", slv_json_text(m != NULL ? m->command : NULL));
	return slv_object_done(&o);
}
