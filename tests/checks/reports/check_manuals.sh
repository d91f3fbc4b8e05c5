#!/bin/sh
# check_manuals.sh - are the manual pages good, and do the examples of
# salvor-json(5) run?
#
# Those of salvor(1) are the golden case manual-examples.  Needs jq for the
# examples and man for the pages; what is missing is left out, but not in CI.
# Environment: CI is set there; SALVOR is the program, SALVOR_SRCDIR the source
# tree, SALVOR_BUILDDIR the build folder.
set -u

top=${SALVOR_SRCDIR:-.}
build=${SALVOR_BUILDDIR:-.}
. "$top/tests/support/good.sh"

for page in "$top/man/salvor.1" "$top/man/salvor_read.3" \
	"$build"/man/salvor*.3 "$build/man/salvor-json.5"; do
	name=${page##*/}
	if LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" \
		>"$tmp/$name" 2>"$tmp/warnings"; then
		[ ! -s "$tmp/warnings" ]
		good "$name is formatted without warnings"
		cat "$tmp/warnings"
		! grep -n -e '`' -e '---' -e '\$(' "$tmp/$name"
		good "nothing is left of the markup in $name"
	else
		echo "no man here that formats $name"
		[ -z "${CI-}" ]
		good "man is there"
	fi
done

# Every key that docs/json.md describes is in the page.
sed -n 's/^| `\([a-z_]*\)`.*/\1/p' "$top/docs/json.md" | sort -u |
	while read -r key; do
		grep -q "^\.It.*$key" "$build/man/salvor-json.5" || echo "$key"
	done >"$tmp/forgotten"
[ ! -s "$tmp/forgotten" ]
good "salvor-json.5 has every key: $(cat "$tmp/forgotten")"

# Every function that the library exports is named by a page, for `man NAME`.
while read -r name; do
	grep -qE "^\.Nm $name( ,)?$" "$top"/man/*.3 "$build"/man/*.3 || echo "$name"
done <"$top/src/salvor.sym" >"$tmp/forgotten"
cat "$tmp/forgotten"
[ ! -s "$tmp/forgotten" ]
good "every function is in a page"

# Every function that salvor_read.h declares is in its page.
grep -o 'slv_[a-z_]*(' "$top/src/salvor_read.h" | tr -d '(' | sort -u |
	while read -r name; do
		grep -q "^\.Fn $name " "$top/man/salvor_read.3" || echo "$name"
	done >"$tmp/forgotten"
grep -v -e slv_options_set -e slv_repair -e slv_escape "$tmp/forgotten"
[ $? -ne 0 ]
good "salvor_read.3 has every function"

if command -v jq >/dev/null; then
	mkdir "$tmp/bin" "$tmp/run"
	ln -s "$salvor" "$tmp/bin/salvor"
	PATH=$tmp/bin:$PATH
	cd "$tmp/run" || exit 99
	{ sed -n 's/^    \(salvor .*\)/\1/p' "$top/docs/json.md"
	sed -n 's/^\.Dl \$ //p' "$top/man/salvor.1" | grep 'jq ' |
		sed -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" -e 's/\\(dq/"/g'; } >"$tmp/examples"
	while read -r line; do
		rm -f ./*
		head -c 300000 "$top/testdata/bddf/good-patrol.bddf" \
			>patrol.bddf
		# A mended log with its sidecar, for those that ask for one.
		cp patrol.bddf old.bddf
		salvor repair -qq old.bddf
		sh -c "$line" >"$tmp/out" 2>"$tmp/err" </dev/null &&
			{ [ -s "$tmp/out" ] || [ -s night.json ]; }
		good "example: $line"
	done <"$tmp/examples"
else
	echo "no jq here: the examples were not run"
	[ -z "${CI-}" ]
	good "jq is there"
fi

totals
