#!/bin/sh
# check-symbols.sh - do salvor.h, salvor.sym and the shared library agree?
#
# salvor.sym is the list of names the linker lets out, sorted.  Run in the build
# folder; without a shared library there, only the two files are compared.
set -u

top=${srcdir:-$(dirname "$0")/..}
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
LC_ALL=C
export LC_ALL
bad=0

# same WHAT FILE: does FILE hold the names of salvor.sym?
same() {
	diff -u "$top/src/salvor.sym" "$2" && return
	echo "$1 and src/salvor.sym differ"
	bad=1
}

sort -u "$top/src/salvor.sym" >"$tmp/sorted"
same "its own sorted self" "$tmp/sorted"

# The compiler takes the comments away.
# shellcheck disable=SC2086
${CC:-cc} ${CPPFLAGS-} -E -P "$top/src/salvor_many.h" | grep -o 'slv_[a-z0-9_]* *(' |
	tr -d ' (' | sort -u >"$tmp/header"
same src/salvor_many.h "$tmp/header"

lib=.libs/libsalvor.so
if [ -e $lib ]; then
	# Coverage and sanitizers add names of their own, and the linker that of a
	# version.
	${NM:-nm} -D --defined-only $lib | sed -n 's/.* [A-Z] //p' |
		grep -v -e '^__' -e '^SALVOR_1$' | sort -u >"$tmp/versioned"
	sed 's/@.*//' "$tmp/versioned" >"$tmp/lib"
	same $lib "$tmp/lib"
	if [ -e src/salvor.map ] && grep -v '@@SALVOR_1$' "$tmp/versioned"; then
		echo "$lib states no version of these"
		bad=1
	fi
	# A linker on Linux lets a library go out with parts missing.
	if ${NM:-nm} -D --undefined-only $lib | grep -E ' (slv|bddf|pb)_'; then
		echo "$lib lacks these"
		bad=1
	fi
else
	echo "no shared library here: only the header was compared"
fi
exit $bad
