#!/bin/sh
# problems-doc.sh [--write] - is docs/problems.md what the table says?
#
# The catalogue of findings is made from `salvor explain`, which reads the
# table that the scans raise.  --write makes the page anew.  Environment:
# SALVOR is the program, SALVOR_SRCDIR the source tree.
set -u

top=${SALVOR_SRCDIR:-.}
salvor=${SALVOR:-$top/build/salvor}
page=$top/docs/problems.md
new=$(mktemp) || exit 99
trap 'rm -f "$new"' EXIT

{
	cat <<-'END'
	# What salvor can find

	Made from the problem tables by `scripts/problems-doc.sh --write`. An *error*
	or *warning* is damage; a *note* changes neither state nor exit code. The
	remedy says what `repair` does: *drop* leaves the bytes out, *rebuild* makes
	them anew, *reseal* writes nothing unless `--reseal` is given, *refuse* writes
	nothing, *leave* keeps all as it is. A *violation* is of a rule that you gave
	(`verify --max-gap` and its kin): no damage, and the exit code gains 64.
	END
	"$salvor" explain | while read -r id severity text; do
		printf '\n## %s\n\n' "$id"
		"$salvor" explain "$id" | sed -e 's/^  //' \
			-e "1s/^$id: /*/" -e '1s/$/*/' \
			-e 's/^What it means$/**Means.**/' \
			-e 's/^How it arises$/**Arises.**/' \
			-e 's/^What repair does$/**Repair.**/' \
			-e 's/^Is recorded data at risk$/**Data at risk.**/'
	done
} >"$new" || exit 99

if [ "${1-}" = --write ]; then
	cp "$new" "$page"
elif ! diff -u "$page" "$new"; then
	echo "docs/problems.md differs from the table: scripts/problems-doc.sh --write"
	exit 1
fi
