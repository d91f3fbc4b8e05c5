/* page_backup.c - what another tool left beside the log and may hold more. */
#include "report/pages/pages.h"

void
slv_page_backup(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_backup *b = &r->backup;
	bool whole = b->depth == SLV_BACKUP_ALL && b->target == NULL;

	slv_page_escaped(out, b->file);
	if (b->depth == SLV_BACKUP_SIZE) {
		slv_buf_printf(out,
		    " is longer than what was recorded here: \"salvor verify\" "
		    "tells whether it holds more %ss\n",
		    slv_page_unit(r));
		return;
	}
	slv_buf_printf(out, "%s %s",
	    b->depth == SLV_BACKUP_INDEX ? " has an index of" : " holds",
	    slv_page_units(r, b->units).text);
	slv_buf_printf(out, ", %s more than this one: %s that one\n",
	    slv_words_count(b->units - r->units_kept).text,
	    whole ? "use" : "repair");
}
