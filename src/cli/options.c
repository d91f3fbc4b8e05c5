/* options.c - the options of all commands: one table. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#define WRITERS  (SLV_CMD_REPAIR | SLV_CMD_MERGE)
#define MAPPERS  (SLV_CMD_REPAIR | SLV_CMD_VERIFY | SLV_CMD_INFO | SLV_CMD_LIST)
#define READERS  (MAPPERS | SLV_CMD_MERGE)
#define AUDITS   (SLV_CMD_VERIFY | SLV_CMD_LOOK)
#define CHANGERS (SLV_CMD_REPAIR | SLV_CMD_UNDO)
#define REPORTS  (READERS | SLV_CMD_LOOK | SLV_CMD_UNDO)
#define COMMANDS (REPORTS | SLV_CMD_EXPLAIN)
#define HASHERS  (WRITERS | AUDITS | SLV_CMD_INFO)

#define MAP_NAME_MAX 255 /* bytes */

/* A word that stands for a bit. */
struct bit_name {
	const char *name;
	unsigned bit;
};

/* Set the bits of words with commas between them. */
static bool
set_bits(const char *value, const struct bit_name *names, size_t n_names,
    unsigned *bits)
{
	for (;;) {
		size_t n = strcspn(value, ","), i = 0;

		while (i < n_names
		    && (strlen(names[i].name) != n
		        || memcmp(names[i].name, value, n) != 0))
			i++;
		if (i == n_names)
			return false;
		*bits |= names[i].bit;
		if (value[n] == '\0')
			return true;
		value += n + 1;
	}
}

static bool
set_output(struct slv_args *a, const char *value)
{
	a->job.output = value;
	return *value != '\0';
}

static bool
set_output_dir(struct slv_args *a, const char *value)
{
	a->job.output_dir = value;
	return *value != '\0';
}

static bool
set_copy_intact(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.copy_intact = true;
	return true;
}

static bool
set_dry_run(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.dry_run = true;
	return true;
}

static bool
set_force(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.force = true;
	return true;
}

static bool
set_in_place(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.in_place = true;
	return true;
}

static bool
set_undo_file(struct slv_args *a, const char *value)
{
	a->job.undo_file = value;
	return *value != '\0' && strcmp(value, "-") != 0;
}

static bool
set_discard_undo(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.discard_undo = true;
	return true;
}

static bool
set_keep(struct slv_args *a, const char *value)
{
	static const struct bit_name names[] = {
		{ "suspect", SLV_KEEP_SUSPECT },
		{ "samples", SLV_KEEP_SAMPLES },
		{ "unverified", SLV_KEEP_UNVERIFIED },
	};

	return set_bits(value, names, 3, &a->job.keep);
}

/* Seconds, or a number of s, m, h or d. */
static bool
set_time_window(struct slv_args *a, const char *value)
{
	static const struct {
		const char *unit;
		unsigned seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 },
		{ "d", 86400 } };
	size_t n = strspn(value, "0123456789"), i = 0;

	while (i < 5 && strcmp(units[i].unit, value + n) != 0)
		i++;
	if (n == 0 || n > 10 || i == 5)
		return false;
	a->job.time_window = strtoull(value, NULL, 10) * units[i].seconds;
	return a->job.time_window > 0;
}

/* A name that a log can hold. */
static bool
set_map_name(struct slv_args *a, const char *value)
{
	size_t n = 0;

	while ((unsigned char)value[n] >= ' ' && value[n] != 0x7f)
		n++;
	a->job.map_name = value;
	return n > 0 && n <= MAP_NAME_MAX && value[n] == '\0';
}

static bool
set_renumber(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.renumber = true;
	return true;
}

/* Bytes, or a number of K, M or G, which are powers of 1,024. */
static bool
set_max_chunk(struct slv_args *a, const char *value)
{
	static const char units[] = "KMG";
	size_t n = strspn(value, "0123456789");
	uint64_t bytes = n > 0 && n < 11 ? strtoull(value, NULL, 10) : 0;
	const char *unit = value[n] != '\0' ? strchr(units, value[n]) : NULL;

	if (value[n] != '\0' && (unit == NULL || value[n + 1] != '\0'))
		return false;
	if (unit != NULL)
		bytes <<= 10 * (unit - units + 1);
	a->job.limits.max_chunk = bytes;
	return bytes > 0;
}

static bool
set_reseal(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.reseal = true;
	return true;
}

static bool
set_verify_written(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.verify_written = true;
	return true;
}

static bool
set_quick(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.quick = true;
	return true;
}

static bool
set_quiet(struct slv_args *a, const char *value)
{
	(void)value;
	a->quiet++;
	return true;
}

static bool
set_verbose(struct slv_args *a, const char *value)
{
	(void)value;
	a->verbose = true;
	return true;
}

static bool
set_scan(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.scan = true;
	return true;
}

static bool
set_require_end(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.require_end = true;
	return true;
}

static bool
set_color(struct slv_args *a, const char *value)
{
	static const char *const names[] = { "auto", "always", "never" };

	for (unsigned i = 0; i < 3; i++) {
		if (strcmp(value, names[i]) == 0) {
			a->colour = (enum slv_colour)i;
			return true;
		}
	}
	return false;
}

static bool
set_completion(struct slv_args *a, const char *value)
{
	a->completion = value;
	return strcmp(value, "bash") == 0 || strcmp(value, "zsh") == 0
	    || strcmp(value, "fish") == 0;
}

static bool
set_json(struct slv_args *a, const char *value)
{
	(void)value;
	a->json = true;
	return true;
}

static bool
set_report(struct slv_args *a, const char *value)
{
	a->report = value;
	return *value != '\0' && strcmp(value, "-") != 0;
}

static bool
set_hash(struct slv_args *a, const char *value)
{
	a->job.sha256 = true;
	return strcmp(value, "sha256") == 0;
}

static bool
set_sums(struct slv_args *a, const char *value)
{
	a->sums = value;
	a->job.sha256 = true;
	return *value != '\0' && strcmp(value, "-") != 0;
}

static bool
set_ok(struct slv_args *a, const char *value)
{
	static const struct bit_name classes[] = {
		{ "repaired", SLV_OK_REPAIRED },
		{ "lossy", SLV_OK_LOSSY },
	};

	return set_bits(value, classes, 2, &a->ok);
}

static bool
set_no_sidecar(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.no_sidecar = true;
	return true;
}

static bool
set_mapfile(struct slv_args *a, const char *value)
{
	a->job.mapfile = value;
	return *value != '\0' && strcmp(value, "-") != 0;
}

static bool
set_domain_mapfile(struct slv_args *a, const char *value)
{
	a->job.domain_mapfile = value;
	return *value != '\0' && strcmp(value, "-") != 0;
}

static bool
set_save_dropped(struct slv_args *a, const char *value)
{
	a->job.save_dropped = value;
	return *value != '\0';
}

static bool
set_split(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.split = true;
	return true;
}

static bool
set_effort(struct slv_args *a, const char *value)
{
	size_t n = strlen(value);

	if (n == 0 || n > 4 || strspn(value, "0123456789") != n)
		return false;
	a->job.effort = (unsigned)strtoul(value, NULL, 10);
	a->job.no_effort = a->job.effort == 0;
	return true;
}

static bool
set_no_sandbox(struct slv_args *a, const char *value)
{
	(void)value;
	a->no_sandbox = true;
	return true;
}

static bool
set_annotate(struct slv_args *a, const char *value)
{
	(void)value;
	a->job.annotate = true;
	return true;
}

static bool
set_help(struct slv_args *a, const char *value)
{
	(void)value;
	a->help = true;
	return true;
}

static bool
set_version(struct slv_args *a, const char *value)
{
	(void)value;
	a->version = true;
	return true;
}

static bool
set_fill(struct slv_args *a, const char *value)
{
	a->job.fill = value;
	return *value != '\0' && strcmp(value, "-") != 0;
}

static bool
set_donor(struct slv_args *a, const char *value)
{
	a->job.donor = value;
	return *value != '\0' && strcmp(value, "-") != 0;
}

const struct slv_option slv_option_rows[] = {
	{ 'o', "output", "OUT", SLV_CMD_REPAIR, set_output,
	    "write the repaired log to OUT, an intact one too; \"-\" is "
	    "standard output.  Without -o and -d the output stands beside the "
	    "input "
	    "as NAME.repaired.EXT, and an intact input writes nothing" },
	{ 'o', "output", "OUT", SLV_CMD_MERGE, set_output,
	    "write the log to OUT; \"-\" is standard output" },
	{ '\0', "fill", "FILE", SLV_CMD_MERGE, set_fill,
	    "add blocks that are missing in all copies from FILE, a log of the "
	    "lost time that the robot was asked for again; they are reported "
	    "as added, never as proven (BDDF only)" },
	{ 'd', "output-dir", "DIR", SLV_CMD_REPAIR, set_output_dir,
	    "write to the directory DIR, each log under its own name; an "
	    "intact input writes nothing" },
	{ '\0', "copy-intact", NULL, SLV_CMD_REPAIR, set_copy_intact,
	    "with -d: write intact logs too" },
	{ '\0', "in-place", NULL, SLV_CMD_REPAIR, set_in_place,
	    "change FILE itself, and nothing in it but what must change; the "
	    "old bytes are kept in FILE.salvor-undo first" },
	{ '\0', "undo-file", "PATH", CHANGERS, set_undo_file,
	    "the undo record is PATH, perhaps on another disk; a link to it "
	    "stands beside FILE" },
	{ '\0', "discard-undo", NULL, CHANGERS, set_discard_undo,
	    "make an earlier repair in place final: remove its undo record" },
	{ 'n', "dry-run", NULL, CHANGERS | SLV_CMD_MERGE, set_dry_run,
	    "show what would be done and the space it needs, write nothing, "
	    "exit as the command would" },
	{ 'f', "force", NULL, CHANGERS | SLV_CMD_MERGE, set_force,
	    "replace an existing output that holds something else; in place: "
	    "also a file with more names or links to it, and undo also what "
	    "was changed since" },
	{ '\0', "keep", "suspect,samples,unverified", WRITERS, set_keep,
	    "keep blocks that look whole but may be torn; of cut blocks of "
	    "plain data the whole samples, as shorter blocks; of compressed "
	    "chunks whose checksum does not match what can be decoded; or some "
	    "of these" },
	{ '\0', "time-window", "SECONDS|24h", READERS | SLV_CMD_LOOK,
	    set_time_window,
	    "doubt blocks whose time is further than this from those around "
	    "them and that no index names; without this option: 24h" },
	{ '\0', "max-chunk", "BYTES|512M", READERS | SLV_CMD_LOOK,
	    set_max_chunk,
	    "stop at a compressed chunk that holds more than this; without "
	    "this option: 512M" },
	{ '\0', "effort", "N", WRITERS | AUDITS, set_effort,
	    "where only the log's digest complains, try flipped bits of the "
	    "magic, the first block and the declarations, never of a payload, "
	    "for N times 10 seconds or 1,000 digests of the file, whichever is "
	    "less; 0: not at all; without this option: 1" },
	{ '\0', "donor", "FILE", SLV_CMD_REPAIR, set_donor,
	    "take what says which channels there are, where it is lost, from "
	    "FILE, another log of the same robot, if only one thing there can "
	    "be it" },
	{ '\0', "map-name", "NAME", SLV_CMD_REPAIR, set_map_name,
	    "of a log whose header is lost, and with it the name of the map: "
	    "this is it" },
	{ '\0', "renumber", NULL, SLV_CMD_REPAIR, set_renumber,
	    "where frames are missing, count those that are left from 1 on" },
	{ '\0', "reseal", NULL, WRITERS, set_reseal,
	    "where the digest says that some byte is wrong and nobody can say "
	    "which: write a fresh digest over the unproven bytes" },
	{ '\0', "verify-written", NULL, WRITERS, set_verify_written,
	    "read the output back from the disk before it gets its name" },
	{ '\0', "scan", NULL, SLV_CMD_INFO, set_scan,
	    "read every byte; without it both ends and the index are enough, "
	    "where they agree" },
	{ '\0', "quick", NULL, AUDITS, set_quick,
	    "where both ends and the index agree, read nothing else, and say "
	    "so" },
	{ '\0', "require-end", NULL, AUDITS, set_require_end,
	    "count it as damage where a log does not say where the recording "
	    "ended, however sound the rest is" },
	{ 'v', "verbose", NULL, WRITERS | AUDITS, set_verbose,
	    "explain each kind of finding, and list all of them" },
	{ 'q', "quiet", NULL, CHANGERS | SLV_CMD_MERGE | AUDITS, set_quiet,
	    "say nothing about sound files; twice: say nothing about any, not "
	    "even why one failed" },
	{ '\0', "json", NULL, COMMANDS, set_json,
	    "one JSON object a line on standard output; text for people goes "
	    "to standard error" },
	{ '\0', "report", "FILE", REPORTS, set_report,
	    "write the same objects to FILE, which appears when all is done; "
	    "an earlier report there is replaced, nothing else is" },
	{ '\0', "hash", "sha256", HASHERS, set_hash,
	    "report the SHA-256 of input and output" },
	{ '\0', "sums", "FILE", HASHERS, set_sums,
	    "write these digests to FILE, for \"sha256sum -c\"" },
	{ '\0', "save-dropped", "DIR", SLV_CMD_REPAIR, set_save_dropped,
	    "save each range that is left out as a file in the directory DIR, "
	    "with a manifest" },
	{ '\0', "split", NULL, SLV_CMD_REPAIR, set_split,
	    "write each whole log of another recording that is in the input, "
	    "repaired, to a file of its own beside the output, as "
	    "NAME.foreign-OFFSET.EXT" },
	{ '\0', "mapfile", "FILE", MAPPERS | SLV_CMD_LOOK, set_mapfile,
	    "write the map of the damage to FILE, in the format of GNU "
	    "ddrescue: + kept or rebuilt, - lost, ? filler or foreign" },
	{ '\0', "domain-mapfile", "FILE", MAPPERS | SLV_CMD_LOOK,
	    set_domain_mapfile,
	    "read the mapfile that GNU ddrescue left of the log: blocks that "
	    "touch what was not rescued are bad" },
	{ '\0', "ok", "repaired,lossy", WRITERS, set_ok,
	    "exit with 0 for files of these classes, or of the one named; "
	    "text and JSON keep telling the class" },
	{ '\0', "no-sidecar", NULL, WRITERS, set_no_sidecar,
	    "do not leave the report of a lossy output beside it, as "
	    "OUT.salvor.json" },
	{ '\0', "annotate", NULL, SLV_CMD_REPAIR, set_annotate,
	    "say in the repaired log, in annotations salvor:*, that it was "
	    "repaired and what was lost; an original that comes back bit for "
	    "bit is left as it is (BDDF only)" },
	{ '\0', "color", "auto|always|never", REPORTS, set_color,
	    "whether verdicts are coloured; auto: on a terminal, unless "
	    "NO_COLOR is set" },
	{ '\0', "no-sandbox", NULL, REPORTS, set_no_sandbox,
	    "read the logs with all rights of this process" },
	{ '\0', "completion", "bash|zsh|fish", SLV_CMD_NONE, set_completion,
	    "print the completion for a shell" },
	{ 'h', "help", NULL, COMMANDS | SLV_CMD_NONE, set_help, "this text" },
	{ 'V', "version", NULL, COMMANDS | SLV_CMD_NONE, set_version,
	    "the version, and the sandbox and SHA-1 that are used here" },
};

const size_t slv_n_options = sizeof(slv_option_rows) / sizeof(*slv_option_rows);
