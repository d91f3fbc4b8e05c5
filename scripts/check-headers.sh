#!/bin/sh
# check-headers.sh - does every header compile alone, and ours for users in
# C++ too?
#
# From the makefile: CC, CXX and CPPFLAGS; run in the build folder.
set -u

top=${srcdir:-$(dirname "$0")/..}
bad=0

# compiles COMPILER LANGUAGE HEADER
compiles() {
	# Compiler and flags may be several words each.
	# shellcheck disable=SC2086
	echo "#include \"$3\"" |
		$1 ${CPPFLAGS-"-I$top/src"} -Wall -Wextra -Werror \
			-fsyntax-only -x "$2" - && return
	echo "$3: does not compile alone as $2"
	bad=1
}

for header in $(cd "$top/src" && find . -name '*.h' | sed 's|^\./||'); do
	compiles "${CC:-cc} -std=gnu11" c "$header"
done
CXX=${CXX:-c++}
if command -v "${CXX%% *}" >/dev/null; then
	compiles "$CXX" c++ salvor.h
else
	echo "no C++ compiler: salvor.h was tried in C only"
fi
exit $bad
