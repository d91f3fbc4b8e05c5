/* names.h - the names of values, as in JSON. */
#ifndef SLV_REPORT_NAMES_H
#define SLV_REPORT_NAMES_H

#include "report/report.h"

const char *slv_name_of_record(enum slv_undo_course);
const char *slv_name_of_job(enum slv_job);
const char *slv_name_of_assurance(enum slv_assurance);
const char *slv_name_of_end(enum slv_end);

#endif
