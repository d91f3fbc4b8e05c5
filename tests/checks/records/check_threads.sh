#!/bin/sh
# check_threads.sh - do the library's rules of threads hold?
#
# examples/threads reads logs of all formats, sound and damaged, some of them twice, each
# in a thread of its own, with options and a flag that all share; then the first log that
# was read stops the others.  What one thread alone finds they find together.  In a build
# with --enable-tsan ThreadSanitizer watches, and a race fails the test.
#
# Run in the build folder.  Environment: SALVOR_SRCDIR is the source tree, SALVOR_BUILDDIR
# the build folder.
set -u

top=${SALVOR_SRCDIR:-.}
build=${SALVOR_BUILDDIR:-.}
. "$top/tests/support/good.sh"

cd "$top/testdata" || exit 99
logs="rosbag/good-drive-lz4.bag rosbag/good-drive-bz2.bag rosbag/bad-chunk-hole.bag
rosbag/bad-chunk-bz2-hole.bag rosbag/bad-chunk-copies.bag rosbag/good-drive-lz4.bag
mcap/good-cpp-lz4.mcap mcap/good-cpp-zstd.mcap mcap/bad-chunk-zstd-bit.mcap
mcap/bad-chunk-hole.mcap mcap/bad-chunk-zstd-bit.mcap bddf/good-patrol.bddf
bddf/bad-cut-patrol.bddf bddf/bad-written-over.bddf cyber/good-map.record
cyber/bad-hole.record cyber/bad-twice.record carla/good-ue5.log carla/bad-hole.log
ulog/good-sitl.ulg ulog/bad-hole.ulg dataflash/good-v45.bin dataflash/bad-hole.bin"
TSAN_OPTIONS="exitcode=66 ${TSAN_OPTIONS-}"
export TSAN_OPTIONS

for log in $logs; do
	"$build/examples/threads" "$log" >>"$tmp/alone" || exit 99
done
# shellcheck disable=SC2086
"$build/examples/threads" $logs >"$tmp/together" 2>"$tmp/err"
status=$?
cat "$tmp/err" >&2
[ $status = 0 ]
good "threads read logs together"
cmp "$tmp/alone" "$tmp/together"
good "they find what one finds alone"

# Some are stopped; which, depends on the machine.
for _ in 1 2 3; do
	# shellcheck disable=SC2086
	"$build/examples/threads" first $logs $logs $logs >"$tmp/some" 2>"$tmp/err"
	status=$?
	cat "$tmp/err" >&2
	[ $status = 0 ]
	good "one thread stops the others"
	grep -v ': stopped$' "$tmp/some" | sort -u >"$tmp/read"
	sort -u "$tmp/alone" | comm -13 - "$tmp/read" >"$tmp/others"
	[ -s "$tmp/read" ] && [ ! -s "$tmp/others" ]
	good "what was not stopped is whole"
done

totals
