/* to_mcap.c - write the records of a log, damaged or not, as an MCAP file.
 *
 *	cc to_mcap.c $(pkg-config --cflags --libs salvor) -o to_mcap
 *	to_mcap FILE OUT.mcap
 */
#include <stdio.h>

#include <salvor.h>

int
main(int argc, char **argv)
{
	struct slv_log *log = NULL;
	struct slv_reader *reader = NULL;
	int failed;

	if (argc != 3) {
		fprintf(stderr, "usage: to_mcap FILE OUT.mcap\n");
		return 16;
	}
	failed = slv_log_open(argv[1], NULL, &log) != SLV_OK
	    || slv_reader_open(log, &reader) != SLV_OK
	    || slv_reader_export(reader, argv[2], "mcap") != SLV_OK;
	if (failed)
		fprintf(stderr, "to_mcap: %s\n",
		    log != NULL ? slv_log_error(log) : "out of memory");
	slv_reader_close(reader);
	slv_log_close(log);
	return failed ? 8 : 0;
}
