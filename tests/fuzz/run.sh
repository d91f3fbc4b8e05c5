#!/bin/sh
# run.sh [TARGET]... - build the fuzzers in build-fuzz/ and run each of them.
#
# Run by `make fuzz` in the build folder.  FUZZ_SECONDS is how long each runs
# (60), FUZZ_FLAGS goes to libFuzzer.  What they learn stays in
# build-fuzz/corpus, and an input that breaks a promise in build-fuzz/crashes:
# it is shown there again by
#
#	build-fuzz/tests/fuzz/replay build-fuzz/crashes
set -eu

top=$(cd "${srcdir:-${SALVOR_SRCDIR:-$(dirname "$0")/../..}}" && pwd)
seconds=${FUZZ_SECONDS:-60}
status=0
[ $# -gt 0 ] || set -- fuzz_audit fuzz_data fuzz_text

mkdir -p build-fuzz/corpus/seeds build-fuzz/crashes
cd build-fuzz
[ -e Makefile ] || "$top/configure" -q CC="${FUZZ_CC:-clang}" \
	--disable-shared --enable-fuzz
${MAKE:-make} -s all tests/fuzz/replay

# A log too long for one input says no more than its beginning.
for log in "$top"/testdata/*/*.bddf; do
	head -c 4096 "$log" >"corpus/seeds/${log##*/}"
done

for target; do
	printf '\n== %s for %s s\n' "$target" "$seconds"
	mkdir -p "corpus/$target"
	# Flags may be several words.
	# shellcheck disable=SC2086
	"tests/fuzz/$target" -dict="$top/tests/fuzz/bddf.dict" -max_len=4096 \
		-timeout=5 -rss_limit_mb=2048 -max_total_time="$seconds" \
		-artifact_prefix="crashes/$target-" -print_final_stats=1 \
		${FUZZ_FLAGS-} "corpus/$target" corpus/seeds || status=1
done
exit $status
