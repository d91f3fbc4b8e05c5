#!/bin/sh
# test-checks.sh - do the checks themselves find what they are for?
#
# Plants one mistake at a time in a copy of the sources.
#
# Backquotes in single quotes are Markdown.
# shellcheck disable=SC2016
set -u

top=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || exit 99
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
unset srcdir
passed=0 failed=0

# expect WANT WHAT COMMAND...: does COMMAND exit with WANT?
expect() {
	want=$1 what=$2
	shift 2
	"$@" >"$tmp/out" 2>&1
	got=$?
	if [ $got = "$want" ]; then
		passed=$((passed + 1))
		return
	fi
	failed=$((failed + 1))
	echo "$what: exit $got, want $want"
	cat "$tmp/out"
}

# planted FILE LINE WANT: check-layers.sh on nothing but a FILE that holds LINE.
planted() {
	rm -rf "$tmp/src"
	mkdir -p "$tmp/src/${1%/*}"
	echo "$2" >"$tmp/src/$1"
	expect "$3" "$1: $2" sh "$top/scripts/check-layers.sh" "$tmp/src"
}

planted base/a.c '#include "io/sys.h"' 1
planted io/a.c '#include "core/plan/plan.h"' 1
planted io/a.c '#include <unistd.h>' 0
planted digest/a.h '#include <bearssl.h>' 0
planted core/a.c '#include <bearssl.h>' 1
planted digest/a.c '#include <libdeflate.h>' 0
planted codec/a.c '#include <libdeflate.h>' 1
planted formats/bddf/a.c '#include "digest/crc32.h"' 0
planted codec/a.c '#include <lz4frame.h>' 0
planted codec/a.c '#include <bzlib.h>' 0
planted codec/a.c '#include <zstd.h>' 0
planted formats/bddf/a.c '#include <zstd.h>' 1
planted codec/a.c '#include <unistd.h>' 1
planted codec/a.c '#include "io/read/source.h"' 1
planted core/a.c '#include "codec/codec.h"' 1
planted core/a.c '#include "formats/bddf/bddf.h"' 1
planted core/a.c '#include "salvor.h"' 0
planted core/a.c '#include "io/write/sink.h"' 0
planted core/a.c '#include <sys/stat.h>' 1
planted core/a.c '#include <sys/auxv.h>' 1
planted digest/a.c '#include <sys/auxv.h>' 0
planted base/a.c '#include <sys/mman.h>' 0
planted core/a.c '#include <sys/mman.h>' 1
planted core/a.c '	printf("hello");' 1
planted core/a.c '	slv_buf_printf(b, "hello");' 0
planted formats/formats.c '#include "formats/bddf/bddf.h"' 0
planted formats/formats.c '#include "formats/bddf/read/bddf_frame.h"' 1
planted formats/bddf/a.c '#include "formats/bddf/read/bddf_frame.h"' 0
planted formats/bddf/a.c '#include "formats/rosbag/rosbag.h"' 1
planted formats/bddf/a.c '#include "io/write/sink.h"' 1
planted formats/bddf/a.c '#include "codec/codec.h"' 0
planted formats/bddf/a.c '#include "codec/decode.h"' 1
planted formats/bddf/a.c '#include <lz4.h>' 1
planted formats/bddf/a.c '	FILE *f = NULL;' 1
planted formats/bddf/a.c '	snprintf(text, sizeof(text), "%d", n);' 0
planted formats/bddf/a.c '#include "proto/bddf.pb.h"' 0
planted report/a.c '#include "core/scan/scan.h"' 0
planted report/a.c '#include <jansson.h>' 0
planted report/a.c '#include "io/write/sink.h"' 1
planted options/a.c '#include "base/status.h"' 0
planted options/a.c '#include "core/scan/scan.h"' 1
planted options/a.c '#include <unistd.h>' 1
planted options/a.c '	.help = "read from FILE" },' 0
planted options/a.c '	f("%s", FILE, "b");' 1
planted core/a.c '#include "options/option.h"' 1
planted job/a.c '#include "options/option.h"' 0
planted job/a.c '#include "formats/formats.h"' 0
planted job/a.c '#include "formats/bddf/bddf.h"' 1
planted job/a.c '	exit(1);' 1
planted guard/a.c '#include "io/sys.h"' 0
planted guard/a.c '#include "job/output/target.h"' 0
planted guard/a.c '#include "core/scan/scan.h"' 1
planted guard/a.c '	exit(0);' 1
planted job/a.c '#include "guard/guard.h"' 1
planted cli/a.c '#include "guard/guard.h"' 0
planted cli/a.c '#include "guard/walls.h"' 1
planted cli/a.c '#include "job/job.h"' 1
planted cli/a.c '	exit(1);' 0

rm -rf "$tmp/src"
mkdir -p "$tmp/src/core" "$tmp/tests/unit"
: >"$tmp/src/core/a.c"
printf 'libsalvor_core_la_SOURCES += \\\n\t%%D%%/a.c\n' \
	>"$tmp/src/core/Makefile.inc"
: >"$tmp/tests/Makefile.inc"
expect 0 "all listed" sh "$top/scripts/check-sources.sh" "$tmp"
: >"$tmp/src/core/aa.c"
expect 1 "a source forgotten" sh "$top/scripts/check-sources.sh" "$tmp"
rm "$tmp/src/core/aa.c"
: >"$tmp/tests/unit/test_a.c"
expect 1 "a test forgotten" sh "$top/scripts/check-sources.sh" "$tmp"
echo 'quick_tests += %D%/unit/test_a' >"$tmp/tests/Makefile.inc"
expect 0 "the test listed" sh "$top/scripts/check-sources.sh" "$tmp"
printf 'struct slv_a {\n' >"$tmp/src/core/aa.h"
printf 'struct slv_b {\nstruct slv_a {\n' >"$tmp/src/core/ab.h"
echo '%D%/aa.h %D%/ab.h' >>"$tmp/src/core/Makefile.inc"
expect 1 "a tag defined twice" sh "$top/scripts/check-sources.sh" "$tmp"
printf 'struct slv_a {\n' >"$tmp/src/core/ab.h"
: >"$tmp/src/core/aa.h"
expect 0 "a tag defined once" sh "$top/scripts/check-sources.sh" "$tmp"
rm "$tmp/src/core/aa.h" "$tmp/src/core/ab.h"

# fuzzing WANT WHAT [LINE]...: check-sources.sh with a target, and LINEs in run.sh,
# replay.c and the makefile.
fuzzing() {
	want=$1 what=$2
	mkdir -p "$tmp/tests/fuzz/found"
	echo 'void fuzz_a(const uint8_t *bytes, size_t n);' >"$tmp/tests/fuzz/fuzz.h"
	echo "$3" >"$tmp/tests/fuzz/run.sh"
	echo "$4" >"$tmp/tests/fuzz/replay.c"
	printf '%s\n' "$5" '%D%/unit/test_a %D%/fuzz/fuzz.h %D%/fuzz/replay.c' \
		'%D%/fuzz/run.sh' >"$tmp/tests/Makefile.inc"
	expect "$want" "fuzzing: $what" sh "$top/scripts/check-sources.sh" "$tmp"
}

replayed='fuzz_a, "tests/fuzz/found"'
fuzzing 0 "all listed" 'set fuzz_a' "$replayed" '%D%/fuzz/fuzz_a'
fuzzing 1 "not run" 'set fuzz_b' "$replayed" '%D%/fuzz/fuzz_a'
fuzzing 1 "not replayed" 'set fuzz_a' '"tests/fuzz/found"' '%D%/fuzz/fuzz_a'
fuzzing 1 "not built" 'set fuzz_a' "$replayed" ''
fuzzing 1 "a corpus forgotten" 'set fuzz_a' 'fuzz_a,' '%D%/fuzz/fuzz_a'
rm -r "$tmp/tests/fuzz"

# documented WANT WHAT: check-docs.sh on the tree in $tmp/top.
documented() {
	expect "$1" "docs: $2" sh "$top/scripts/check-docs.sh" "$tmp/top"
}

# page LINE...: base-io.md with what base/a.c needs, and LINEs.
page() {
	printf '%s\n' '# base and io' '' '## base' '' '| module | |' '|---|---|' \
		'| `a` | an idea |' "$@" >"$pages/base-io.md"
}

pages=$tmp/top/docs/architecture

mkdir -p "$tmp/top/src/base" "$pages" \
	"$tmp/top/scripts" "$tmp/top/tests"
touch "$tmp/top/src/base/a.c" "$tmp/top/src/base/a.h" \
	"$tmp/top/src/base/Makefile.inc" "$pages/job.md"
echo '# Architecture' >"$tmp/top/docs/ARCHITECTURE.md"
page
documented 0 "every module on its page"
touch "$tmp/top/src/base/b.h"
documented 1 "a module on no page"
page '| `b`, `c` | two ideas |'
documented 1 "a module that is gone"
touch "$tmp/top/src/base/c.def"
documented 0 "two modules in a row"
page '| `b`, `c` | two ideas |' '| `a` | an idea |'
documented 1 "a module on two rows"
page '' '## core' '| `b`, `c` | two ideas |'
documented 1 "modules below the heading of another folder"
mkdir -p "$tmp/top/src/core"
mv "$tmp/top/src/base/"[bc].* "$tmp/top/src/core"
documented 1 "modules on the page of another layer"
rm -r "$tmp/top/src/core"
page
touch "$tmp/top/src/salvor.h"
documented 1 "a header in src/ on no page"
printf '## src\n| `salvor` | the API |\n' >"$pages/job.md"
documented 0 "a header in src/ on the page of job"
page 'See `base/a` and `base/a.h`, `a.c`, [b](../ARCHITECTURE.md).'
documented 0 "names and links that exist"
page 'See `base/b`.'
documented 1 "a path that does not exist"
page 'See b.c.'
documented 1 "a file name that does not exist"
page '[b](../b.md)'
documented 1 "a link to a page that does not exist"
page '[b](../ARCHITECTURE.md#architecture)' '[c](#base-and-io)'
documented 0 "links to headings"
page '[b](../ARCHITECTURE.md#architectures)'
documented 1 "a link to a heading that does not exist"
page '`[b](b.md)`' '```' '[b](b.md)' '```' '[b](https://example.com/b.md)'
documented 0 "code and links to other hosts"
page
printf '/* docs/%s.md */\n' ARCHITECTURE >"$tmp/top/src/base/a.c"
documented 0 "a comment that names a page"
printf '/* docs/%s.md */\n' none >"$tmp/top/src/base/a.c"
documented 1 "a comment that names a page that does not exist"
: >"$tmp/top/src/base/a.c"
for i in 1 2 3 4 5 6 7 8 9; do
	touch "$tmp/top/src/base/m$i.c" "$tmp/top/src/base/m$i.h"
done
page '| `m1`, `m2`, `m3`, `m4`, `m5`, `m6`, `m7`, `m8`, `m9` | ideas |'
documented 0 "20 files in a folder"
touch "$tmp/top/src/base/a.def"
documented 1 "21 files in a folder"
# manual WANT WHAT SED: options-man.py on a manual that SED has changed.
manual() {
	mkdir -p "$tmp/man"
	sed "$3" "$top/man/salvor.1" >"$tmp/man/salvor.1"
	expect "$1" "manual: $2" env SALVOR_SRCDIR="$tmp" SALVOR="$salvor" \
		python3 "$top/scripts/options-man.py"
}

salvor=${SALVOR:-$top/build/salvor}
manual 0 "as it is" ''
manual 1 "an option is forgotten" '/^\.It Fl .-split$/,/brings those back/d'
manual 1 "it has no text" '/^\.It Fl .-split$/,/brings those back/{/^\.It\|^\.Pq/!d}'
manual 1 "it is there twice" 's/^\.It Fl .-set$/.It Fl \\-split/'
manual 1 "there is no such option" 's/^\.It Fl .-split$/.It Fl \\-splot/'
manual 1 "its argument is another" 's/^\(.It Fl .-donor .*\)FILE/\1DIR/'
manual 1 "its group is another" 's/^\.Ss Salvage/.Ss Output/'
manual 1 "its commands are others" 's/^\.Pq Cm repair$/.Pq Cm repair , list/'

# totals WANT TEXT TRS...: are the totals of these TRS, in order, TEXT?
totals() {
	want=$1 text=$2
	shift 2
	expect "$want" "totals of $*" sh "$top/scripts/test-totals.sh" -q "$@"
	[ "$(cat "$tmp/out")" = "$text" ] && return
	failed=$((failed + 1))
	echo "totals of $*: $(cat "$tmp/out"), want $text"
}

cd "$tmp" || exit 99
for result in PASS FAIL SKIP; do
	echo ":test-result: $result" >$result.trs
	echo ":test-result: $result" >inner-$result.trs
done
echo '   tests     13     13     13      0        0' >inner-PASS.log
echo '4 passed, 2 failed' >inner-FAIL.log
echo '4 passed, 0 failed' >crash.log
cp FAIL.trs crash.trs
totals 0 "1 passed, 0 failed" PASS.trs SKIP.trs
totals 0 "14 passed, 0 failed" PASS.trs inner-PASS.trs
totals 1 "17 passed, 3 failed" inner-PASS.trs inner-FAIL.trs FAIL.trs
totals 1 "4 passed, 1 failed" crash.trs
totals 1 "0 passed, 1 failed" never-run.trs

# differing WANT SCRIPT: compare_builds.py on the program, and on one with
# SCRIPT around it.
differing() {
	printf '#!/bin/sh\n%s\n' "$2" >"$tmp/salvor"
	chmod +x "$tmp/salvor"
	expect "$1" "builds: $2" "${PYTHON:-python3}" \
		"$top/tests/compare_builds.py" "$SALVOR" "$tmp/salvor" -- \
		"$top/testdata/carla/bad-crash.log"
}

differing 0 '"$SALVOR" "$@"'
differing 0 '"$SALVOR" "$@" >t; s=$?; sed "s/^{/{\"elapsed\":7,/" t; exit $s'
differing 1 '"$SALVOR" "$@"; exit 2'
differing 1 '"$SALVOR" "$@" >t; s=$?; sed "s/\"offset\":/&1/" t; exit $s'
differing 1 '"$SALVOR" "$@"; s=$?; [ ! -e out ] || echo >>out; exit $s'

echo "$passed passed, $failed failed"
[ $failed = 0 ]
