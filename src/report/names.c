/* names.c - the names of values, as in JSON. */
#include "report/names.h"

const char *
slv_name_of_record(enum slv_undo_course state)
{
	switch (state) {
	case SLV_UNDO_NONE: return "none";
	case SLV_UNDO_OPEN: return "open";
	case SLV_UNDO_CLOSED: return "closed";
	}
	return "?";
}

const char *
slv_name_of_job(enum slv_job job)
{
	switch (job) {
	case SLV_JOB_VERIFY: return "verify";
	case SLV_JOB_INFO: return "info";
	case SLV_JOB_LIST: return "list";
	case SLV_JOB_REPAIR: return "repair";
	case SLV_JOB_UNDO: return "undo";
	case SLV_JOB_MERGE: return "merge";
	case SLV_JOB_EXPORT: return "export";
	case SLV_JOB_EXTRACT: return "extract";
	}
	return "?";
}

const char *
slv_name_of_assurance(enum slv_assurance assurance)
{
	switch (assurance) {
	case SLV_BY_NOTHING: return "none";
	case SLV_BY_STRUCTURE: return "structure";
	case SLV_BY_CHECKSUM: return "chunk-checksum";
	case SLV_BY_DIGEST: return "digest";
	}
	return "?";
}

const char *
slv_name_of_end(enum slv_end end)
{
	switch (end) {
	case SLV_END_UNKNOWN: return "unknown";
	case SLV_END_KNOWN: return "known";
	case SLV_END_PROVEN: return "proven";
	}
	return "?";
}
