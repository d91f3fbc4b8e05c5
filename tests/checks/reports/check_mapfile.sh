#!/bin/sh
# check_mapfile.sh - does the real ddrescuelog read the maps of salvor, and
# does salvor read what it makes of them?
#
# Of one log of testdata in three, with SALVOR_LONG of all.  Needs ddrescuelog(1), of the package gddrescue.
# Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
# where nothing may be skipped.
set -u

if ! command -v ddrescuelog >/dev/null; then
	echo "check_mapfile.sh: SKIPPED, there is no ddrescuelog here"
	[ -n "${CI-}" ] && exit 1
	exit 77
fi
top=${SALVOR_SRCDIR:-.}
. "$top/tests/support/good.sh"

# shown NAME: bytes of this kind that ddrescuelog sees in the map.
shown() {
	ddrescuelog --show-status "$tmp/map" |
		sed -n "s/^ *$1: *\([0-9]*\) B,.*/\1/p"
}

# told NAME: bytes of this fate in the report.
told() {
	sed 's/.*"size":[0-9]*,"bytes":{\([^}]*\)}.*/,\1/; s/.*,"'"$1"'":\([0-9]*\).*/\1/' \
		"$tmp/json"
}

every=3
[ -z "${SALVOR_LONG-}" ] || every=1
seen=0
for file in "$top"/testdata/*/*.*; do
	name=${file##*/}
	case $name in
	*.md | *.txt) continue ;;
	esac
	seen=$((seen + 1))
	[ $((seen % every)) -eq 0 ] || continue
	"$salvor" verify --mapfile "$tmp/map" --json "$file" \
		>"$tmp/json" 2>/dev/null
	[ -s "$tmp/map" ]
	good "$name has a map"
	[ -s "$file" ] || continue
	ddrescuelog -t "$tmp/map" >/dev/null
	good "ddrescuelog reads the map of $name"
	[ "$(shown rescued)" = "$(($(told kept) + $(told rebuilt)))" ] &&
		[ "$(shown bad-sector)" = "$(told lost)" ] &&
		[ "$(shown non-tried)" = \
			"$(($(told filler) + $(told foreign)))" ]
	good "the map of $name says what the report says"

	# Where nothing is rescued there is nothing to read.
	[ "$(shown rescued)" -gt 0 ] || continue

	# What ddrescuelog writes: the same inverted twice.
	ddrescuelog -n "$tmp/map" >"$tmp/inverted" &&
		ddrescuelog -n "$tmp/inverted" >"$tmp/again" &&
		[ "$(grep ' 0x.* +$' "$tmp/again")" = \
			"$(grep ' 0x.* +$' "$tmp/map")" ]
	good "ddrescuelog inverts the map of $name"
	"$salvor" verify --domain-mapfile "$tmp/again" --json "$file" \
		>"$tmp/json" 2>/dev/null
	rm -f "$tmp/map"
	! grep -q '"state":"failed"' "$tmp/json"
	good "salvor reads the map of $name back"
done

totals
