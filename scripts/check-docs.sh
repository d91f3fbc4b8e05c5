#!/bin/sh
# check-docs.sh [TOP] - do the pages for developers say what is there?
#
# TOP is the top of the sources.  Reported, with exit code 1:
#
#   module   a module of src/ that is not on its layer's page, or one on a page
#            that is not in src/.  The name of a page in docs/architecture/ lists
#            its layers; a heading is a folder, the first column of a table below
#            it holds the modules.  job.md has the headers in src/ itself.
#   path     a path or file name on these pages that does not exist, or a
#            docs/*.md that a comment names and that does not exist
#   room     a folder below src/ with more than MOST files
#   link     a link in a Markdown file to a file or heading that does not exist
set -u

cd "${1:-${srcdir:-$(dirname "$0")/..}}" || exit 99
MOST=20
pages="docs/ARCHITECTURE.md docs/architecture/*.md"
layers=$(find src -mindepth 1 -maxdepth 1 -type d | sed 's|.*/||' | paste -sd '|' -)
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

# because WHY: each line that is read, with WHY.
because() {
	sed "s|\$|: $1|"
}

# sources: FOLDER/STEM of every module, "./STEM" for those in src/ itself.
sources() {
	(cd src && find . -type f ! -name Makefile.inc ! -name '.*') |
		sed -e 's|^\./||' -e 's|^[^/]*$|./&|' -e 's|\.[a-z]*$||' |
		LC_ALL=C sort -u
}

# documented: "FOLDER/STEM PAGE" of every module on a page, in the same form.
documented() {
	awk '
	FNR == 1 { room = "" }
	/^#/ {
		room = $2 == "src" ? "." : $2
		if (NF != 2 || room !~ /^[.a-z0-9\/]+$/)
			room = ""
	}
	room != "" && /^\| *`/ {
		split($0, cell, "|")
		n = split(cell[2], name, "`")
		for (i = 2; i < n; i += 2)
			print room "/" name[i], FILENAME
	}' docs/architecture/*.md
}

# misplaced: documented modules on a page whose name does not list their layer.
misplaced() {
	awk '{
		page = $2
		gsub(/.*\/|\.md$/, "", page)
		layer = $1
		sub(/\/.*/, "", layer)
		if (layer == ".")
			layer = "job"
		if (index("-" page "-", "-" layer "-") == 0)
			print $2 " names " $1
	}' "$tmp/documented"
}

# named PAGE...: "PAGE PATH" of every path and file name in the text of pages,
# without the targets of links and what is no path of ours.
named() {
	sed 's/\](\([^)]*\))/] /g' "$@" | grep -oE '[A-Za-z0-9_./-]+' |
		sed 's/[.]*$//' |
		grep -E "^(src/)?($layers|docs|scripts|tests|bench|testdata)/[a-z0-9_./-]*[a-z0-9]\$|^[a-z0-9_]+\.(c|h|def|js)\$" |
		LC_ALL=C sort -u
}

# cited: the pages that comments name.
cited() {
	grep -rhoEI --exclude-dir=node_modules 'docs/[a-zA-Z0-9_/-]+\.md' src scripts tests |
		LC_ALL=C sort -u
}

# missing: which of the paths that are read do not exist?
missing() {
	while read -r path; do
		case $path in
		*/*) set -- "src/$path" "$path" "docs/$path" "src/$path".* ;;
		*) set -- "$(find src tests -name "$path" | head -n 1)" ;;
		esac
		for at; do
			[ -e "$at" ] && continue 2
		done
		echo "$path"
	done
}

# crowded: folders with too many files.
crowded() {
	find src -type f ! -name Makefile.inc | sed 's|/[^/]*$||' | sort |
		uniq -c | awk -v most=$MOST '$1 > most { print $2 " has " $1 " files" }'
}

# headings FILE: the anchors of a page, as code hosts make them.
headings() {
	awk '
	/^```/ { code = !code }
	!code && /^#+ / {
		sub(/^#+ /, "")
		$0 = tolower($0)
		gsub(/[^a-z0-9_ -]/, "")
		gsub(/ /, "-")
		print $0 (seen[$0]++ ? "-" seen[$0] - 1 : "")
	}' "$1"
}

# links FILE: what a page links to, but for code and other hosts.
links() {
	awk '
	/^```/ { code = !code }
	!code {
		gsub(/`[^`]*`/, "")
		while (match($0, /\]\([^)]*\)/)) {
			print substr($0, RSTART + 2, RLENGTH - 3)
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' "$1" | grep -Ev '^(https?|mailto):'
}

# broken FILE...: links that lead nowhere.
broken() {
	for file; do
		links "$file" | while read -r link; do
			to=${file%/*}/${link%%#*}
			[ -n "${link%%#*}" ] || to=$file
			if [ ! -e "$to" ]; then
				echo "$file: $link"
			elif [ "$link" != "${link#*#}" ]; then
				headings "$to" | grep -qxF -e "${link#*#}" ||
					echo "$file: $link"
			fi
		done
	done
}

# all: everything that is wrong, a line each.
all() {
	sources >"$tmp/sources"
	documented >"$tmp/documented"
	cut -d' ' -f1 "$tmp/documented" | LC_ALL=C sort >"$tmp/names"
	LC_ALL=C comm -23 "$tmp/sources" "$tmp/names" |
		because "in src/, not in docs/architecture/"
	LC_ALL=C comm -13 "$tmp/sources" "$tmp/names" |
		because "in docs/architecture/, not in src/, or a second time"
	misplaced | because "the page of another layer"
	# Names of pages hold no spaces.
	# shellcheck disable=SC2086
	named $pages | missing | because "named in docs/ and missing"
	cited | missing | because "named in a comment and missing"
	crowded | because "at most $MOST"
	# shellcheck disable=SC2046
	broken $(find . -maxdepth 1 -name '*.md') $(find ./docs -name '*.md') |
		because "the link leads nowhere"
}

if all | grep .; then
	exit 1
fi
