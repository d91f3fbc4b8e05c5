#!/bin/sh
# test-checks.sh - do the checks themselves find what they are for?
#
# Plants one mistake at a time in a copy of the sources.
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
