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
patience=30 # seconds for an input, which counts what else the machine does
longest=12288 # bytes of an input: most small bags, and more than most logs
status=0
[ $# -gt 0 ] || set -- fuzz_audit fuzz_bag fuzz_beside fuzz_changing fuzz_codec \
	fuzz_data fuzz_donor fuzz_extract fuzz_fill fuzz_glance fuzz_inplace fuzz_join fuzz_merge \
	fuzz_plan fuzz_records fuzz_served fuzz_text

mkdir -p build-fuzz/corpus/seeds build-fuzz/crashes
cd build-fuzz
[ -e Makefile ] || "$top/configure" -q CC="${FUZZ_CC:-clang}" \
	--disable-shared --enable-fuzz
${MAKE:-make} -s all tests/fuzz/replay

# A log too long for one input says no more than its beginning.
for log in "$top"/testdata/*/*.bddf; do
	head -c 4096 "$log" >"corpus/seeds/${log##*/}"
done

# Logs of other formats: whole ones, if they are small, and what stands behind
# a header that is little but padding, of which the audit makes a log, too.
while read -r folder ext header; do
	for log in "$top/testdata/$folder"/*."$ext"; do
		[ "$(wc -c <"$log")" -le $longest ] || continue
		cp "$log" corpus/seeds
		[ "$header" = 0 ] || tail -c "+$((header + 1))" "$log" \
			>"corpus/seeds/behind-${log##*/}"
	done
done <<-END
	carla log 0
	cyber record 2064
	rosbag bag 4117
	mcap mcap 0
	ulog ulg 0
	dataflash bin 0
END

cp "$top"/tests/fuzz/streams/* "$top"/tests/fuzz/beside/* corpus/seeds
for bag in humble jazzy; do
	cp "$top/testdata/ros2/$bag/metadata.yaml" "corpus/seeds/$bag.yaml"
done
cat "$top"/tests/fuzz/*.dict >dict

# fewer TARGET: leave of its corpus what is of use.  Each run begins with all
# of it, and what newer inputs do as well is most of it in the end.
fewer() {
	[ "$(find "corpus/$1" -type f | wc -l)" -gt 3000 ] || return 0
	rm -rf corpus/fewer
	mkdir corpus/fewer
	"tests/fuzz/$1" -merge=1 -max_len=$longest -timeout=$patience corpus/fewer \
		"corpus/$1" >/dev/null 2>&1 || return 0
	rm -r "corpus/$1"
	mv corpus/fewer "corpus/$1"
}

for target; do
	printf '\n== %s for %s s\n' "$target" "$seconds"
	mkdir -p "corpus/$target"
	fewer "$target"
	# Flags may be several words.
	# shellcheck disable=SC2086
	"tests/fuzz/$target" -dict=dict -max_len=$longest -timeout=$patience \
		-rss_limit_mb=2048 -max_total_time="$seconds" \
		-artifact_prefix="crashes/$target-" -print_final_stats=1 \
		${FUZZ_FLAGS-} "corpus/$target" corpus/seeds || status=1
done
exit $status
