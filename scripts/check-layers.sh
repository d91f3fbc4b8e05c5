#!/bin/sh
# check-layers.sh [SRC] - do the layers below src/ keep to their places?
#
# Reads every #include in SRC (default: src beside this script's folder) and
# reports those that a layer may not use; docs/ARCHITECTURE.md, "Layers", has the
# rules as a table.  Also: only cli prints and exits, and lists that may be empty
# are sorted and searched by the functions for them.  Exits with 1 if a rule is
# broken.
set -u

src=${1:-${srcdir:-$(dirname "$0")/..}/src}
cd "$src" || exit 99

# No file can be named twice: paths below src/ hold no spaces.
# shellcheck disable=SC2046
awk '
function broken(why)
{
	printf "src/%s:%d: %s\n", FILENAME, FNR, why
	bad = 1
}

# May a file of this layer include our header `to`?
function ours(to)
{
	if (to ~ /^salvor(_many|_options|_policy|_problems|_read|_report|_text)?\.h$/)
		return 1
	if (FILENAME ~ /^salvor(_many|_options|_policy|_problems|_read|_report|_text)?\.h$/)
		return 0
	if (layer == "base")
		return to ~ /^base\//
	if (layer == "digest")
		return to ~ /^(base|digest)\//
	if (layer == "options")
		return to ~ /^(base|options)\//
	if (layer == "codec")
		return to ~ /^(base|codec)\//
	if (layer == "io")
		return to ~ /^(base|io)\//
	if (layer == "core")
		return to ~ /^(base|io|digest|core)\// || to == "options/limits.h"
	if (layer == "support")
		return to ~ /^(base|codec|digest|core|support)\// \
		    || to ~ /^io\/read\/(source|window)\.h$/
	if (layer == "formats") # the table of drivers
		return to == "formats/formats.h" || to == "core/format/format.h" \
		    || to ~ /^formats\/[a-z0-9]+\/[a-z0-9]+\.h$/ \
		    && split(to, part, "/") && part[2] ".h" == part[3]
	if (layer ~ /^formats\//)
		return to ~ /^(base|digest|core|support)\// \
		    || to ~ /^io\/read\/(source|window)\.h$/ \
		    || to ~ /^codec\/(codec|crew)\.h$/ \
		    || to ~ /^proto\/[a-z0-9_]+\.pb\.h$/ \
		    || index(to, layer "/") == 1
	if (layer == "report")
		return to ~ /^(base|core|options|report)\//
	if (layer == "page")
		return to ~ /^(base|digest|page)\//
	if (layer == "job")
		return to ~ /^(base|io|digest|core|options|report|page|job)\// \
		    || to == "formats/formats.h" || to == "codec/unpack.h"
	if (layer == "guard")
		return to ~ /^(base|guard|job|options)\// || to ~ /^io\/(sys|write\/temp)\.h$/
	if (layer == "batch")
		return to ~ /^(base|digest|batch)\// \
		    || to ~ /^io\/(machine|names\/named|read\/slurp)\.h$/ \
		    || to ~ /^report\/(json\/json_object|sums|text\/words)\.h$/
	if (layer == "cli")
		return to ~ /^(base|batch|cli|options)\// || to == "guard/guard.h" \
		    || to == "commit.h"
	return 0
}

# May it include <to>?  Each library has one home, and so has the system.
function theirs(to)
{
	if (to ~ /^bearssl/ || to == "libdeflate.h")
		return layer == "digest"
	if (to == "bzlib.h" || to ~ /^(lz4|zstd).*\.h$/)
		return layer == "codec"
	if (to == "yaml.h")
		return layer == "batch"
	if (to ~ /^pb.*\.h$/)
		return layer ~ /^formats\//
	if (to == "jansson.h")
		return layer ~ /^(report|page)$/
	if (to == "sys/auxv.h") # what the CPU has
		return layer == "digest"
	if (to == "sys/mman.h" && layer == "base") # memory, through one gate
		return 1
	if (to ~ /^(fcntl|unistd|dirent|poll)\.h$/ || to ~ /^sys\//)
		return layer !~ /^(base|digest|codec|core|support|formats|options|report|page)/
	return 1
}

FNR == 1 {
	# Rooms of a layer are one layer, and each format is a layer of its own.
	layer = FILENAME
	if (layer !~ /\//)
		layer = "."
	else if (layer ~ /^formats\/[^\/]*\//)
		match(layer, /^formats\/[^\/]*/) 
	else
		match(layer, /^[^\/]*/)
	if (layer != ".")
		layer = substr(layer, 1, RLENGTH)
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quoted, "\"")
	if (!ours(quoted[2]))
		broken(layer " may not include " quoted[2])
}

/^[ \t]*#[ \t]*include[ \t]*</ {
	split($0, angled, /[<>]/)
	if (!theirs(angled[2]))
		broken(layer " may not include <" angled[2] ">")
}

# A process that batch starts ends by itself, and in no other way.
layer != "cli" && FILENAME !~ /^batch\/(workers\/worker|helper\/started)\.c$/ && !/^[ \t]*(\/?\*|#)/ &&
/(^|[^A-Za-z0-9_.>])(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror|exit|_exit|abort) ?\(/ {
	broken("only cli prints and exits")
}

# All memory comes from one place, and goes back there.
FILENAME != "base/mem.c" && !/^[ \t]*(\/?\*|#)/ &&
/(^|[^A-Za-z0-9_.>])(malloc|calloc|realloc|aligned_alloc|strdup|strndup|asprintf|free|json_dumps) ?\(/ {
	broken("memory is taken by slv_realloc() and the like, and freed by slv_free()")
}

# An empty list is NULL, which the functions of C refuse.
FILENAME != "base/sort.h" && !/^[ \t]*(\/?\*|#)/ &&
/(^|[^A-Za-z0-9_])(qsort|bsearch) ?\(/ {
	broken("lists are sorted by slv_sort(), searched by slv_find_sorted()")
}

# <stdio.h> is for snprintf: files are reached through io/sys.h, but for lists
# and journals, which are files of the program itself and no logs.
layer != "cli" && layer != "batch" && !/^[ \t]*(\/?\*|#)/ {
	words = $0
	gsub(/"[^"]*"/, "", words) # help names a FILE
	if (words ~ /(^|[^A-Za-z0-9_])(FILE|stdin|stdout|stderr|fopen|fdopen)([^A-Za-z0-9_]|$)/)
		broken("only cli uses streams")
}

END { exit bad }
' $(find . -name '*.[ch]' -o -name '*.def' | sed 's|^\./||' | LC_ALL=C sort)
