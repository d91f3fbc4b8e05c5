/* options.c - the options of all commands: one table. */
#include "cli/options/options.h"

#include "cli/options/values.h"

#define WRITERS    (SLV_CMD_REPAIR | SLV_CMD_MERGE)
#define MAPPERS    (SLV_CMD_REPAIR | SLV_CMD_VERIFY | SLV_CMD_INFO | SLV_CMD_LIST)
#define READERS    (MAPPERS | SLV_CMD_MERGE)
#define AUDITS     (SLV_CMD_VERIFY | SLV_CMD_LOOK)
#define CHANGERS   (SLV_CMD_REPAIR | SLV_CMD_UNDO)
#define REPORTS    (READERS | SLV_CMD_LOOK | SLV_CMD_UNDO)
#define TELLERS    (REPORTS | SLV_CMD_EXPLAIN)
#define OFFLINE    (SLV_CMD_REPORT | SLV_CMD_COLLECT)
#define COMMANDS   (TELLERS | OFFLINE)
#define HASHERS    (WRITERS | AUDITS | SLV_CMD_INFO)

#define BATCHES    (AUDITS | SLV_CMD_REPAIR | SLV_CMD_INFO)
#define EACH       (SLV_CMD_LIST | SLV_CMD_UNDO)
#define FINDERS    (BATCHES | EACH | SLV_CMD_COLLECT)
#define AT(member) offsetof(struct slv_args, member)

const struct slv_option slv_option_rows[] = {
	{ SLV_GROUP_OUTPUT, 'o', "output", "OUT", SLV_CMD_REPAIR,
	    slv_value_text, AT(job.output),
	    "write the repaired log to OUT, an intact one too; \"-\" is "
	    "standard output.  Without -o and -d the output is written beside "
	    "the "
	    "input as NAME.repaired.EXT, and an intact input writes nothing" },
	{ SLV_GROUP_OUTPUT, 'o', "output", "OUT", SLV_CMD_MERGE, slv_value_text,
	    AT(job.output), "write the log to OUT; \"-\" is standard output" },
	{ SLV_GROUP_OUTPUT, 'o', "output", "FILE", SLV_CMD_REPORT,
	    slv_value_file, AT(html),
	    "write the page to FILE, which appears when all is done; an "
	    "earlier page there is replaced, nothing else is" },
	{ SLV_GROUP_OUTPUT, 'o', "output", "FILE", SLV_CMD_COLLECT,
	    slv_value_file, AT(batch.merged),
	    "write one journal of all to FILE, a line for each file, in "
	    "order; an earlier journal there is replaced, nothing else is" },
	{ SLV_GROUP_SALVAGE, '\0', "fill", "FILE", SLV_CMD_MERGE,
	    slv_value_file, AT(job.fill),
	    "add blocks that are missing in all copies from FILE, a log of the "
	    "lost time that the robot was asked for again; they are reported "
	    "as added, never as proven (BDDF only)" },
	{ SLV_GROUP_OUTPUT, 'd', "output-dir", "DIR", SLV_CMD_REPAIR,
	    slv_value_text, AT(job.output_dir),
	    "write to the directory DIR, each log under its own name; an "
	    "intact input writes nothing" },
	{ SLV_GROUP_OUTPUT, '\0', "copy-intact", NULL, SLV_CMD_REPAIR,
	    slv_value_flag, AT(job.copy_intact),
	    "with -d: write intact logs too" },
	{ SLV_GROUP_OUTPUT, '\0', "in-place", NULL, SLV_CMD_REPAIR,
	    slv_value_flag, AT(job.in_place),
	    "change FILE itself, and nothing in it but what must change; the "
	    "old bytes are kept in FILE.salvor-undo first" },
	{ SLV_GROUP_OUTPUT, '\0', "undo-file", "PATH", CHANGERS, slv_value_file,
	    AT(job.undo_file),
	    "the undo record is PATH, perhaps on another disk; a link to it "
	    "is beside FILE" },
	{ SLV_GROUP_OUTPUT, '\0', "discard-undo", NULL, CHANGERS,
	    slv_value_flag, AT(job.discard_undo),
	    "make an earlier repair in place final: remove its undo record" },
	{ SLV_GROUP_OUTPUT, 'n', "dry-run", NULL, CHANGERS | SLV_CMD_MERGE,
	    slv_value_flag, AT(job.dry_run),
	    "show what would be done and the space it needs, write nothing, "
	    "exit as the command would" },
	{ SLV_GROUP_OUTPUT, 'f', "force", NULL, CHANGERS | SLV_CMD_MERGE,
	    slv_value_flag, AT(job.force),
	    "replace an existing output that holds something else; in place: "
	    "also a file with more names or links to it, and undo also what "
	    "was changed since" },
	{ SLV_GROUP_SALVAGE, '\0', "keep", "suspect,samples,unverified",
	    WRITERS, slv_value_keep, AT(job.keep),
	    "keep blocks that look whole but may be torn; of cut blocks of "
	    "plain data the whole samples, as shorter blocks; of compressed "
	    "chunks whose checksum does not match what can be decoded; or some "
	    "of these" },
	{ SLV_GROUP_SALVAGE, '\0', "time-window", "SECONDS|24h",
	    READERS | SLV_CMD_LOOK, slv_value_span, AT(job.time_window),
	    "doubt blocks whose time is further than this from those around "
	    "them and that no index names; without this option: 24h" },
	{ SLV_GROUP_LIMITS, '\0', "max-chunk", "BYTES|512M",
	    READERS | SLV_CMD_LOOK, slv_value_bytes, AT(job.limits.max_chunk),
	    "stop at a compressed chunk that holds more than this; without "
	    "this option: 512M" },
	{ SLV_GROUP_LIMITS, '\0', "max-decoded", "BYTES|10G",
	    READERS | SLV_CMD_LOOK, slv_value_bytes, AT(job.limits.max_decoded),
	    "stop where all compressed chunks of a file hold more than this; "
	    "without this option: 64M, and 256 bytes for each byte of the "
	    "file" },
	{ SLV_GROUP_LIMITS, '\0', "max-memory", "BYTES|2G",
	    READERS | SLV_CMD_LOOK, slv_value_bytes, AT(job.limits.max_memory),
	    "give a file up that needs more memory, with exit code 32; the "
	    "others go on; each process of -j may have so much; without this "
	    "option: a quarter of the machine's memory, or of its control "
	    "group's, for all processes together" },
	{ SLV_GROUP_SALVAGE, '\0', "effort", "N", WRITERS | AUDITS,
	    slv_value_effort, AT(job),
	    "where only the log's digest complains, try flipped bits of the "
	    "magic, the first block and the declarations, never of a payload, "
	    "for N times 10 seconds, or 1,000 digests of the file and at least "
	    "2 GiB; 0: not at all; without this option: 1" },
	{ SLV_GROUP_SALVAGE, '\0', "donor", "FILE", SLV_CMD_REPAIR,
	    slv_value_file, AT(job.donor),
	    "take what says which channels there are, where it is lost, from "
	    "FILE, another log of the same robot, if only one thing there can "
	    "be it" },
	{ SLV_GROUP_SALVAGE, '\0', "map-name", "NAME", SLV_CMD_REPAIR,
	    slv_value_name, AT(job.map_name),
	    "of a log whose header is lost, and with it the name of the map: "
	    "this is it" },
	{ SLV_GROUP_SALVAGE, '\0', "renumber", NULL, SLV_CMD_REPAIR,
	    slv_value_flag, AT(job.renumber),
	    "where frames are missing, count those that are left from 1 on" },
	{ SLV_GROUP_SALVAGE, '\0', "rechunk", NULL, SLV_CMD_REPAIR,
	    slv_value_flag, AT(job.rechunk),
	    "split chunks of a Cyber record that are longer than 64 MiB, which "
	    "some readers pass by; in an intact one, too" },
	{ SLV_GROUP_SALVAGE, '\0', "reseal", NULL, WRITERS, slv_value_flag,
	    AT(job.reseal),
	    "where the digest says that some byte is wrong and it is unknown "
	    "which: write a fresh digest over the unproven bytes" },
	{ SLV_GROUP_OUTPUT, '\0', "verify-written", NULL, WRITERS,
	    slv_value_flag, AT(job.verify_written),
	    "read the output back from the disk before it gets its name" },
	{ SLV_GROUP_SALVAGE, '\0', "scan", NULL, SLV_CMD_INFO, slv_value_flag,
	    AT(job.scan),
	    "read every byte; without it both ends and the index are enough, "
	    "where they agree" },
	{ SLV_GROUP_SALVAGE, '\0', "quick", NULL, AUDITS, slv_value_flag,
	    AT(job.quick),
	    "where both ends and the index agree, read nothing else, and say "
	    "so" },
	{ SLV_GROUP_SALVAGE, '\0', "deep", NULL, SLV_CMD_VERIFY, slv_value_flag,
	    AT(job.deep),
	    "hold what messages hold against the descriptions of their "
	    "channels (Cyber records only)" },
	{ SLV_GROUP_SALVAGE, '\0', "require-end", NULL, AUDITS, slv_value_flag,
	    AT(job.require_end),
	    "count it as damage where a log does not say where the recording "
	    "ended, however sound the rest is" },
	{ SLV_GROUP_RULES, '\0', "max-gap", "[CHANNEL=]2s|none", SLV_CMD_VERIFY,
	    slv_value_max_gap, AT(rules),
	    "a rule, which a sound log can break, too: no channel, or none of "
	    "that name or glob, is silent for longer, from the beginning of "
	    "the "
	    "log to its end; of several such options that name a channel the "
	    "last counts; none: any silence will do" },
	{ SLV_GROUP_RULES, '\0', "min-rate", "CHANNEL=10|none", SLV_CMD_VERIFY,
	    slv_value_min_rate, AT(rules),
	    "a rule: the channel has so many messages a second, over the whole "
	    "log" },
	{ SLV_GROUP_RULES, '\0', "require", "CHANNEL", SLV_CMD_VERIFY,
	    slv_value_require, AT(rules),
	    "a rule: a channel of that name or glob has a message" },
	{ SLV_GROUP_RULES, '\0', "max-lost", "0.1%|BYTES", SLV_CMD_VERIFY,
	    slv_value_max_lost, AT(rules),
	    "a rule: no more of the log is lost, now or in an earlier repair" },
	{ SLV_GROUP_RULES, '\0', "policy", "FILE", SLV_CMD_VERIFY,
	    slv_value_policy, AT(rules),
	    "take rules from FILE, one a line, as these options without their "
	    "dashes; what follows a # is a comment; \"-\" is standard "
	    "input" },
	{ SLV_GROUP_RULES, '\0', "digests", NULL, SLV_CMD_VERIFY,
	    slv_value_flag, AT(job.digests),
	    "with --journal: keep a digest of each MiB there, of logs that no "
	    "digest of their own proves" },
	{ SLV_GROUP_RULES, '\0', "baseline", "FILE", SLV_CMD_VERIFY,
	    slv_value_file, AT(batch.baseline),
	    "hold files against the digests in FILE, a journal of an earlier "
	    "day, and name what is not what it was, though the file was not "
	    "written to; the exit code then has 4" },
	{ SLV_GROUP_RULES, '\0', "set", NULL, SLV_CMD_VERIFY | SLV_CMD_COLLECT,
	    slv_value_flag, AT(set),
	    "hold files that are segments of one recording by their names, "
	    "NAME_N.EXT or NAME.record.N, against each other: missing numbers, "
	    "gaps, overlaps and other types of channels count as damage" },
	{ SLV_GROUP_BATCH, 'r', "recursive", NULL, BATCHES | SLV_CMD_LIST,
	    slv_value_flag, AT(batch.recursive),
	    "take all logs below the directories that are named, whatever they "
	    "are called; a file that is no log is counted and left out, unless "
	    "its name promises one (such as .bag or .bddf) or --include names "
	    "it; files that salvor wrote are left out, too" },
	{ SLV_GROUP_BATCH, 'r', "recursive", NULL, SLV_CMD_UNDO, slv_value_flag,
	    AT(batch.recursive),
	    "take all files below the directories that are named that have an "
	    "undo record; the others are left alone" },
	{ SLV_GROUP_BATCH, 'r', "recursive", "DIR", SLV_CMD_COLLECT,
	    slv_value_words, AT(batch.archives),
	    "report the files below DIR, named as the runs named it, and say "
	    "which of them nobody did, or were changed since; may be given "
	    "again" },
	{ SLV_GROUP_BATCH, '\0', "files0-from", "FILE", FINDERS, slv_value_text,
	    AT(batch.files0_from),
	    "take the files, or with -r directories, that FILE names, each "
	    "ended by a NUL; \"-\" is standard input" },
	{ SLV_GROUP_BATCH, '\0', "include", "GLOB", FINDERS, slv_value_words,
	    AT(batch.include),
	    "with -r: take files of such a name, or of one of several such "
	    "options, and no others; one that is no log is then reported" },
	{ SLV_GROUP_BATCH, '\0', "exclude", "GLOB", FINDERS, slv_value_words,
	    AT(batch.exclude),
	    "with -r: leave out files and directories of such a name" },
	{ SLV_GROUP_BATCH, '\0', "allow-empty", NULL,
	    FINDERS & ~(unsigned)SLV_CMD_UNDO, slv_value_flag,
	    AT(batch.allow_empty),
	    "with -r or --files0-from: exit with 0 where no log is found; "
	    "without it a run without a log ends with 16, as the disk may not "
	    "be mounted" },
	{ SLV_GROUP_BATCH, '\0', "min-age", "SECONDS|5m",
	    FINDERS & ~(unsigned)EACH, slv_value_span, AT(batch.min_age),
	    "with -r: leave out files that were changed later than that, as "
	    "somebody may be writing them" },
	{ SLV_GROUP_BATCH, 'j', "jobs", "N", BATCHES, slv_value_jobs,
	    AT(batch.jobs),
	    "work with N processes; without this option: as many as there are "
	    "processors for salvor, of files named one by one: 1" },
	{ SLV_GROUP_BATCH, '\0', "timeout", "SECONDS|5m", BATCHES,
	    slv_value_span, AT(batch.timeout),
	    "give a file up that takes longer; the others go on" },
	{ SLV_GROUP_BATCH, '\0', "shard", "I/N|auto", BATCHES, slv_value_shard,
	    AT(batch.shard),
	    "take part I of N of the files, by their names; auto: as the job "
	    "array of Slurm or AWS Batch says that this is a task of; auto/N "
	    "for Kubernetes" },
	{ SLV_GROUP_BATCH, '\0', "journal", "FILE", BATCHES, slv_value_file,
	    AT(batch.journal),
	    "append a line to FILE for each file that is done, and leave out "
	    "what is done according to it, as long as input and output are "
	    "still the same" },
	{ SLV_GROUP_BATCH, '\0', "retry", NULL, BATCHES, slv_value_flag,
	    AT(batch.retry), "with --journal: do again what failed" },
	{ SLV_GROUP_BATCH, '\0', "recheck-after", "30d", BATCHES,
	    slv_value_span, AT(batch.recheck_after),
	    "with --journal: do again what was done longer ago" },
	{ SLV_GROUP_BATCH, '\0', "revalidate", NULL, SLV_CMD_REPAIR,
	    slv_value_flag, AT(batch.revalidate),
	    "with --journal: read the outputs of what is done, and do it again "
	    "where one has not the digest that it had" },
	{ SLV_GROUP_BATCH, '\0', "subset", "5%|I/N", BATCHES, slv_value_subset,
	    AT(batch.subset),
	    "take a part of the files: part I of N, by their names, or that "
	    "share, another one each day; with --journal those that were done "
	    "longest ago, once more, and new ones first" },
	{ SLV_GROUP_BATCH, '\0', "max-duration", "SECONDS|2h", BATCHES,
	    slv_value_span, AT(batch.max_duration),
	    "begin no file after that time; the exit code then has 32, and "
	    "with --journal the next run goes on" },
	{ SLV_GROUP_LIMITS, '\0', "max-read-rate", "BYTES|50M", BATCHES,
	    slv_value_bytes, AT(read_rate),
	    "read no more bytes a second than this, all processes together" },
	{ SLV_GROUP_REPORTS, '\0', "progress", NULL,
	    REPORTS & ~(unsigned)SLV_CMD_LIST, slv_value_flag, AT(progress),
	    "say every few seconds how far it is, also where standard error is "
	    "no terminal" },
	{ SLV_GROUP_REPORTS, 'v', "verbose", NULL, WRITERS | AUDITS,
	    slv_value_flag, AT(verbose),
	    "explain each kind of finding, and list all of them" },
	{ SLV_GROUP_REPORTS, 'q', "quiet", NULL,
	    CHANGERS | SLV_CMD_MERGE | AUDITS | SLV_CMD_LIST, slv_value_count,
	    AT(quiet),
	    "say nothing about sound files; twice: say nothing about any, not "
	    "even why one failed" },
	{ SLV_GROUP_REPORTS, '\0', "json", NULL, TELLERS | SLV_CMD_COLLECT,
	    slv_value_flag, AT(json),
	    "one JSON object a line on standard output; text for people goes "
	    "to standard error" },
	{ SLV_GROUP_REPORTS, '\0', "html", "FILE", SLV_CMD_COLLECT,
	    slv_value_file, AT(html),
	    "write a page to FILE that shows all of it in a browser, alone "
	    "and offline; an earlier page there is replaced, nothing else is" },
	{ SLV_GROUP_REPORTS, '\0', "html", "FILE", HASHERS, slv_value_file,
	    AT(html),
	    "write a page to FILE that shows all of it in a browser, alone "
	    "and offline, with the channels over time, which takes another "
	    "reading; an earlier page there is replaced, nothing else is" },
	{ SLV_GROUP_REPORTS, '\0', "timeline", NULL, HASHERS, slv_value_flag,
	    AT(job.timeline),
	    "tell in the objects also how many blocks of each channel there "
	    "are when, which takes another reading; with --html always" },
	{ SLV_GROUP_REPORTS, '\0', "report", "FILE", REPORTS | SLV_CMD_COLLECT,
	    slv_value_file, AT(report),
	    "write the same objects to FILE, which appears when all is done; "
	    "an earlier report there is replaced, nothing else is" },
	{ SLV_GROUP_REPORTS, '\0', "junit", "FILE", SLV_CMD_VERIFY,
	    slv_value_file, AT(junit),
	    "write the audit to FILE as JUnit's XML, a test case for each log; "
	    "an earlier one there is replaced, nothing else is" },
	{ SLV_GROUP_REPORTS, '\0', "hash", "sha256", HASHERS, slv_value_hash,
	    AT(job.sha256), "report the SHA-256 of input and output" },
	{ SLV_GROUP_REPORTS, '\0', "sums", "FILE", HASHERS, slv_value_file,
	    AT(sums), "write these digests to FILE, for \"sha256sum -c\"" },
	{ SLV_GROUP_OUTPUT, '\0', "save-dropped", "DIR", SLV_CMD_REPAIR,
	    slv_value_text, AT(job.save_dropped),
	    "save each range that is left out as a file in the directory DIR, "
	    "with a manifest" },
	{ SLV_GROUP_OUTPUT, '\0', "split", NULL, SLV_CMD_REPAIR, slv_value_flag,
	    AT(job.split),
	    "write each whole log of another recording that is in the input, "
	    "repaired, to a file of its own beside the output, as "
	    "NAME.foreign-OFFSET.EXT" },
	{ SLV_GROUP_REPORTS, '\0', "mapfile", "FILE", MAPPERS | SLV_CMD_LOOK,
	    slv_value_file, AT(job.mapfile),
	    "write the map of the damage to FILE, in the format of GNU "
	    "ddrescue: + kept or rebuilt, - lost, ? filler or foreign" },
	{ SLV_GROUP_SALVAGE, '\0', "domain-mapfile", "FILE",
	    MAPPERS | SLV_CMD_LOOK, slv_value_file, AT(job.domain_mapfile),
	    "read the mapfile that GNU ddrescue left of the log: blocks that "
	    "touch what was not rescued are bad" },
	{ SLV_GROUP_OUTPUT, '\0', "ok", "repaired,lossy", WRITERS, slv_value_ok,
	    AT(ok),
	    "exit with 0 for files of these classes, or of the one named; "
	    "text and JSON keep telling the class" },
	{ SLV_GROUP_OUTPUT, '\0', "no-sidecar", NULL, WRITERS, slv_value_flag,
	    AT(job.no_sidecar),
	    "do not leave the report of a lossy output beside it, as "
	    "OUT.salvor.json" },
	{ SLV_GROUP_OUTPUT, '\0', "annotate", NULL, SLV_CMD_REPAIR,
	    slv_value_flag, AT(job.annotate),
	    "say in the repaired log, in annotations salvor:*, that it was "
	    "repaired and what was lost; an original that comes back bit for "
	    "bit is left as it is (BDDF only)" },
	{ SLV_GROUP_OUTPUT, '\0', "no-annotate", NULL, SLV_CMD_REPAIR,
	    slv_value_flag, AT(job.no_annotate),
	    "where the digest of the log's writer contradicts what is written, "
	    "or "
	    "a block may not be what was recorded, do not say so in "
	    "annotations "
	    "salvor:* (BDDF only)" },
	{ SLV_GROUP_REPORTS, '\0', "color", "auto|always|never", REPORTS,
	    slv_value_colour, AT(colour),
	    "whether verdicts are coloured; auto: on a terminal, unless "
	    "NO_COLOR is set" },
	{ SLV_GROUP_LIMITS, '\0', "no-sandbox", NULL, OFFLINE | REPORTS,
	    slv_value_flag, AT(no_sandbox),
	    "read the files with all rights of this process" },
	{ SLV_GROUP_LIMITS, '\0', "require-sandbox", NULL, OFFLINE | REPORTS,
	    slv_value_flag, AT(require_sandbox),
	    "read nothing where the whole sandbox is not available; exit code "
	    "16" },
	{ SLV_GROUP_PROGRAM, '\0', "completion", "bash|zsh|fish", SLV_CMD_NONE,
	    slv_value_shell, AT(completion),
	    "print the completion for a shell" },
	{ SLV_GROUP_PROGRAM, 'h', "help", "?all", COMMANDS | SLV_CMD_NONE,
	    slv_value_help, AT(help),
	    "what most people need; all: everything" },
	{ SLV_GROUP_PROGRAM, 'V', "version", NULL, COMMANDS | SLV_CMD_NONE,
	    slv_value_flag, AT(version),
	    "the version, and the sandbox and SHA-1 that are used here" },
};

const size_t slv_n_options = sizeof(slv_option_rows) / sizeof(*slv_option_rows);
