#!/bin/sh
# check-sources.sh [TOP] - is every source file on a list?
#
# A file below src/ that the Makefile.inc of its folder, or of the next one above,
# does not name is neither built nor part of a release; a test, or a target for fuzzing,
# that is not listed is never run.  No two headers define a struct with the same tag: no
# file could include both.  TOP is the top of the sources.  Exits with 1 and the names of
# what was forgotten or is there twice.
set -u

cd "${1:-${srcdir:-$(dirname "$0")/..}}" || exit 99
bad=0

# listed FILE LIST NAME: is FILE in LIST, as NAME?
listed() {
	grep -Eq "(^|[[:space:]])$3([[:space:]]|\$)" "$2" 2>/dev/null && return
	echo "$1: not in $2"
	bad=1
}

# Names below src/ and tests/ hold no spaces.
# shellcheck disable=SC2044
for file in $(find src -mindepth 2 -name '*.[ch]' -o -name '*.def'); do
	list=${file%/*}
	while [ ! -e "$list/Makefile.inc" ] && [ "$list" != src ]; do
		list=${list%/*}
	done
	listed "$file" "$list/Makefile.inc" "%D%/${file#"$list"/}"
done

# A test program may be named without its .c.
# shellcheck disable=SC2044
for file in $(find tests -mindepth 2 -maxdepth 3 -name '*.[ch]' \
	-o -name '*.sh' -o -name '*.py'); do
	name=${file#tests/}
	listed "$file" tests/Makefile.inc "%D%/${name%.c}(\.c)?"
done

# What fuzz.h declares is fuzzed by run.sh, with a program that the list builds, and
# replayed by `make check`.
for target in $(sed -n 's/^void \(fuzz_[a-z]*\)(const uint8_t.*/\1/p' \
	tests/fuzz/fuzz.h 2>/dev/null); do
	listed "$target" tests/fuzz/run.sh "$target"
	listed "$target" tests/fuzz/replay.c "$target,"
	listed "$target" tests/Makefile.inc "%D%/fuzz/$target"
done
for folder in testdata/*/ tests/fuzz/*/; do
	[ -d "$folder" ] || continue
	grep -q "\"${folder%/}\"" tests/fuzz/replay.c && continue
	echo "$folder: tests/fuzz/replay.c does not replay it"
	bad=1
done

# Names below src/ hold no spaces.
# shellcheck disable=SC2046
for tag in $(grep -hoE '^struct [a-z0-9_]+ \{' $(find src -name '*.h') |
	cut -d' ' -f2 | sort | uniq -d); do
	echo "struct $tag: defined by more than one header"
	bad=1
done

exit $bad
