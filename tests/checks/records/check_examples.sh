#!/bin/sh
# check_examples.sh - do the programs in examples/ do what they say?
#
# Run in the build folder.  Environment: SALVOR_SRCDIR is the source tree,
# SALVOR_BUILDDIR the build folder; CXX the C++ compiler, without which nothing is
# compiled as C++, but not in CI; CFLAGS are those of the build.
set -u

top=${SALVOR_SRCDIR:-.}
build=${SALVOR_BUILDDIR:-.}
. "$top/tests/support/good.sh"

# Of a sound bag everything is there, and checksums confirm it.
"$build/examples/count" "$top/testdata/rosbag/good-drive-lz4.bag" >"$tmp/count"
good "count reads a bag"
awk 'NR > 1 { n += $3; others += $1 + $2 + $4 } END { exit !(n > 50 && !others) }' \
	"$tmp/count"
good "checksums confirm its messages"

# Of a damaged one as much as a repair keeps.
"$build/examples/count" "$top/testdata/rosbag/bad-chunk-hole.bag" >"$tmp/count"
good "count reads a damaged bag"
awk 'NR > 1 { n += $1 + $2 + $3 + $4 } END { exit n == 0 }' "$tmp/count"
good "it counts messages"

"$build/examples/channels" "$top/testdata/cyber/bad-described-package.record" \
	>"$tmp/channels"
good "channels reads a record"
grep -q 'records of .* (protobuf), [1-9][0-9]* bytes of schema' "$tmp/channels"
good "it shows what a channel is"

"$build/examples/span" "$top/testdata/rosbag/good-drive-none.bag" start=+0.1s \
	>"$tmp/some"
"$build/examples/span" "$top/testdata/rosbag/good-drive-none.bag" >"$tmp/all"
good "span reads a bag"
[ -s "$tmp/some" ] && [ "$(wc -l <"$tmp/some")" -lt "$(wc -l <"$tmp/all")" ]
good "it shows the records of a time span"
tail -n "$(wc -l <"$tmp/some")" "$tmp/all" | cmp -s - "$tmp/some"
good "which are the last ones"
sort -c "$tmp/all"
good "in the order of time"

"$build/examples/to_mcap" "$top/testdata/rosbag/bad-chunk-hole.bag" "$tmp/x.mcap"
good "to_mcap reads a damaged bag"
"$salvor" verify -qq "$tmp/x.mcap"
good "what it writes is sound"
"$build/examples/to_mcap" "$top/testdata/rosbag/good-drive-none.bag" \
	"$tmp/x.mcap" 2>"$tmp/err"
[ $? = 8 ] && grep -q exists "$tmp/err"
good "it replaces nothing"

for program in channels count span; do
	"$build/examples/$program" "$top/README.md" >"$tmp/out" 2>"$tmp/err"
	status=$?
	# Channels are none of a file that is no log, and a report says so.
	[ $status = "$([ $program = channels ] && echo 0 || echo 8)" ]
	good "$program says of what is no log that it is none"
done

# As C++, linked like a program of the build.
CXX=${CXX:-c++}
if command -v "${CXX%% *}" >/dev/null; then
	flags=
	for flag in ${CFLAGS-}; do
		case $flag in -fsanitize* | --coverage) flags="$flags $flag" ;; esac
	done
	# Compiler and flags may be several words each.
	# shellcheck disable=SC2086
	$CXX $flags -Wall -Wextra -Werror -I"$top/src" -x c++ \
		-c "$top/examples/count.c" -o "$tmp/count.o" &&
		"$build/libtool" --quiet --tag=CC --mode=link $CXX $flags \
			"$tmp/count.o" "$build/libsalvor.la" -o "$tmp/count-cxx"
	good "count.c is C++"
	"$tmp/count-cxx" "$top/testdata/rosbag/bad-chunk-hole.bag" >"$tmp/cxx"
	cmp "$tmp/count" "$tmp/cxx"
	good "it does the same then"
else
	echo "no C++ compiler: nothing was compiled as C++"
	[ -z "${CI-}" ]
	good "there is one in CI"
fi

totals
