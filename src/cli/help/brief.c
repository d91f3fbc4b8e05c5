/* brief.c - what --help shows on one screen: the options most people need. */
#include "cli/help/brief.h"

#include <string.h>

#include "cli/options/options.h"

#define OPTIONS  10
#define EXAMPLES 3
#define COLUMN   26 /* where the words about an option begin */
#define EXAMPLE  44 /* ... and those about an example */

/* An option, or an example, and a few words about it. */
struct line {
	const char *what, *words;
};

static const struct brief {
	unsigned command; /* SLV_CMD_* */
	struct line options[OPTIONS], examples[EXAMPLES];
} briefs[] = {
	{ SLV_CMD_REPAIR,
	    {
	        { "output", "write to OUT; \"-\" is standard output" },
	        { "output-dir", "write to DIR, each log under its own name" },
	        { "in-place", "change FILE itself; salvor undo takes it back" },
	        { "dry-run", "only show what would be done" },
	        { "force", "replace an output that exists" },
	        { "keep", "keep also what may be torn" },
	        { "split", "write other logs that are in FILE, too" },
	        { "recursive", "all logs below directories" },
	        { "journal", "note what is done, and go on from there" },
	        { "json", "print one JSON object for each file" },
	    },
	    {
	        { "salvor repair robot.bag", "writes robot.repaired.bag" },
	        { "salvor repair -r -d saved archive",
	            "many, with -j 8 faster" },
	        { "salvor repair --in-place robot.bddf",
	            "needs no second disk" },
	    } },
	{ SLV_CMD_UNDO,
	    {
	        { "dry-run", "only show what would be done" },
	        { "force", "also undo what was changed since" },
	        { "undo-file", "where the undo record is, if not beside FILE" },
	        { "discard-undo", "make the repair final: remove the record" },
	        { "recursive", "all repaired files below directories" },
	        { "quiet", "say nothing about files that are as they were" },
	        { "json", "print one JSON object for each file" },
	    },
	    {
	        { "salvor undo robot.bddf", "takes the repair in place back" },
	        { "salvor undo -r archive", "the same for all below archive" },
	        { "salvor undo --discard-undo robot.bddf", "keeps the repair" },
	    } },
	{ SLV_CMD_MERGE,
	    {
	        { "output", "write to OUT; \"-\" is standard output" },
	        { "fill", "add blocks of a log that was asked for again" },
	        { "dry-run", "only show what would be done" },
	        { "force", "replace an output that exists" },
	        { "keep", "keep also what may be torn" },
	        { "reseal", "write a fresh digest over unproven bytes" },
	        { "html", "write a page that shows all of it" },
	        { "verbose", "explain each kind of finding" },
	        { "quiet", "say nothing about sound files" },
	        { "json", "print one JSON object" },
	    },
	    {
	        { "salvor merge -o whole.bag a.bag b.bag", "of two copies" },
	        { "salvor merge -n a.bag b.bag", "how much it would give" },
	    } },
	{ SLV_CMD_VERIFY,
	    {
	        { "quick", "believe both ends and the index" },
	        { "policy", "hold logs against rules, such as max-gap=2s" },
	        { "set", "hold segments of a recording against each other" },
	        { "recursive", "all logs below directories" },
	        { "jobs", "work with N processes" },
	        { "journal", "note what is done, and go on from there" },
	        { "html", "write a page that shows all of it" },
	        { "verbose", "explain each kind of finding" },
	        { "quiet", "say nothing about sound files" },
	        { "json", "print one JSON object for each file" },
	    },
	    {
	        { "salvor verify robot.bag", "exit code 0: it is sound" },
	        { "salvor verify -r -j 8 archive", "many files" },
	        { "salvor verify --max-gap=/imu=1s a.bag", "a rule of yours" },
	    } },
	{ SLV_CMD_INFO,
	    {
	        { "scan", "read every byte, not only both ends" },
	        { "timeline", "blocks of each channel over time, in JSON" },
	        { "hash", "tell the SHA-256 of the file" },
	        { "recursive", "all logs below directories" },
	        { "jobs", "work with N processes" },
	        { "html", "write a page that shows all of it" },
	        { "json", "print one JSON object for each file" },
	    },
	    {
	        { "salvor info robot.bag", "channels, times, annotations" },
	        { "salvor info --json robot.bag | jq .channels",
	            "for programs" },
	    } },
	{ SLV_CMD_LIST,
	    {
	        { "recursive", "all logs below directories" },
	        { "mapfile", "write the map of the damage, for GNU ddrescue" },
	        { "quiet", "say nothing about sound files" },
	        { "json", "print one JSON object for each block" },
	    },
	    {
	        { "salvor list robot.bag",
	            "offset, size, kind, time, verdict" },
	        { "salvor list robot.bag | grep lost",
	            "where records are lost" },
	    } },
	{ SLV_CMD_REPORT,
	    {
	        { "output", "write the page to FILE" },
	    },
	    {
	        { "salvor report -o page.html night.jsonl", "of a journal" },
	        { "salvor verify --json a.bag | salvor report -o p.html -",
	            "" },
	    } },
	{ SLV_CMD_COLLECT,
	    {
	        { "output", "write one journal of all to FILE" },
	        { "recursive", "say which files below DIR are missing" },
	        { "set", "hold segments of a recording against each other" },
	        { "html", "write a page that shows all of it" },
	        { "json", "print one JSON object for each file" },
	    },
	    {
	        { "salvor collect part-*.jsonl", "a summary of all parts" },
	        { "salvor collect -r archive part-*.jsonl",
	            "and what is missing" },
	    } },
	{ SLV_CMD_EXPLAIN,
	    {
	        { "json", "print JSON objects" },
	    },
	    {
	        { "salvor explain", "all findings there are" },
	        { "salvor explain rosbag.chunk-open", "what one means" },
	        { "salvor explain bddf", "those of a format" },
	    } },
};

/* Append the words, in a column of their own. */
static void
put_words(struct slv_buf *out, size_t from, size_t column, const char *words)
{
	size_t have = out->len - from;

	slv_buf_printf(out, "%*s%s\n",
	    have + 1 < column ? (int)(column - have) : 2, "", words);
}

static void
put_option(struct slv_buf *out, unsigned command, const struct line *l)
{
	size_t from = out->len;

	slv_option_put(
	    out, slv_option_named(l->what, strlen(l->what), command));
	put_words(out, from, COLUMN, l->words);
}

static void
put_example(struct slv_buf *out, const struct line *l)
{
	size_t from = out->len;

	slv_buf_printf(out, "  %s", l->what);
	if (*l->words != '\0')
		put_words(out, from, EXAMPLE, l->words);
	else
		slv_buf_text(out, "\n");
}

void
slv_brief_put(struct slv_buf *out, unsigned command)
{
	const struct brief *b = briefs;

	while (b->command != command)
		b++;
	slv_buf_text(out, "\nOptions most people need:\n");
	for (size_t i = 0; i < OPTIONS && b->options[i].what != NULL; i++)
		put_option(out, command, &b->options[i]);
	slv_buf_text(out, "\nExamples:\n");
	for (size_t i = 0; i < EXAMPLES && b->examples[i].what != NULL; i++)
		put_example(out, &b->examples[i]);
}
