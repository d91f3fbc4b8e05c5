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

"$build/examples/embed" "$top/testdata/rosbag/bad-chunk-hole.bag" \
	>"$tmp/embed.bag" 2>"$tmp/err"
good "embed repairs a bag in memory"
"$salvor" repair -q -o "$tmp/repaired.bag" "$top/testdata/rosbag/bad-chunk-hole.bag"
cmp "$tmp/embed.bag" "$tmp/repaired.bag"
good "its output is that of the program"
grep -q 'taken [1-9][0-9]* times' "$tmp/err"
good "and took its memory"

for program in channels count embed span; do
	"$build/examples/$program" "$top/README.md" >"$tmp/out" 2>"$tmp/err"
	status=$?
	# Channels are none of a file that is no log, and a report says so.
	[ $status = "$([ $program = channels ] && echo 0 || echo 8)" ]
	good "$program says of what is no log that it is none"
done

# run_as PROGRAM NAME OUTPUT: one of the examples, on a damaged log.
run_as() {
	log=$top/testdata/rosbag/bad-chunk-hole.bag
	case $2 in
	to_mcap) "$1" "$log" "$3" ;;
	*) "$1" "$log" ;;
	esac
}

# As C++, linked like a program of the build.
CXX=${CXX:-c++}
if command -v "${CXX%% *}" >/dev/null; then
	flags=
	for flag in ${CFLAGS-}; do
		case $flag in -fsanitize* | --coverage) flags="$flags $flag" ;; esac
	done
	for source in "$top"/examples/*.c; do
		name=$(basename "$source" .c)
		# Compiler and flags may be several words each.
		# shellcheck disable=SC2086
		$CXX $flags -Wall -Wextra -Werror -I"$top/src" -x c++ \
			-c "$source" -o "$tmp/$name.o" &&
			"$build/libtool" --quiet --tag=CC --mode=link $CXX $flags \
				"$tmp/$name.o" "$build/libsalvor.la" -pthread \
				-o "$tmp/$name-cxx"
		good "$name.c is C++"
		run_as "$build/examples/$name" "$name" "$tmp/want.mcap" \
			>"$tmp/want" 2>"$tmp/want.err"
		wanted=$?
		run_as "$tmp/$name-cxx" "$name" "$tmp/got.mcap" \
			>"$tmp/got" 2>"$tmp/got.err"
		[ $? = $wanted ] && [ $wanted = 0 ] && cmp "$tmp/want" "$tmp/got" &&
			{ [ $name != to_mcap ] || cmp "$tmp/want.mcap" "$tmp/got.mcap"; }
		good "$name.c does the same then"
	done
else
	echo "no C++ compiler: nothing was compiled as C++"
	[ -z "${CI-}" ]
	good "there is one in CI"
fi

totals
