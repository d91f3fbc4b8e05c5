/* stream.h - an output that is no file under a name: its name is "-". */
#ifndef SLV_JOB_STREAM_H
#define SLV_JOB_STREAM_H

#include "io/write/sink.h"
#include "options/options.h"

/* Open it: standard output, unless the caller wants another one.
 *
 *   stream  of the options; NULL: standard output */
enum slv_status slv_stream_open(
    const struct slv_stream *, struct slv_sink **out, struct slv_err *);

/* Before it becomes the output: with `>>x` the shell can make standard output the
 * input as well, and then this process itself has the input open for writing.
 *
 * SLV_E_USAGE: it is the input */
enum slv_status slv_stream_check(
    const struct slv_stream *, const struct stat *input, struct slv_err *);

#endif
