#!/bin/sh
# check_version.sh - does the program say which commit it is?
#
# A checkout has its history, a release the file .commit, and other sources say
# nothing.
# Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
set -u

top=${SALVOR_SRCDIR:-.}
. "$top/tests/support/good.sh"

# commit TOP: what the sources there are called.
commit() {
	sh "$top/scripts/commit.sh" "$1" | sed -n 's/^#define SLV_COMMIT "\(.*\)"$/\1/p'
}

mkdir "$tmp/none" "$tmp/release"
echo 0123456789ab >"$tmp/release/.commit"
[ "$(commit "$tmp/none")" = '' ]
good "sources without history have no commit"
[ "$(commit "$tmp/release")" = 0123456789ab ]
good "a release has the one that it was made of"

if command -v git >/dev/null; then
	mkdir -p "$tmp/own/src" && echo 1 >"$tmp/own/src/a"
	(
		cd "$tmp/own" && git init -q . && git add . &&
			git -c user.name=a -c user.email=a@b commit -qm first
	) >/dev/null 2>&1
	head=$(git -C "$tmp/own" rev-parse --short=12 HEAD)
	[ "$(commit "$tmp/own")" = "$head" ]
	good "a checkout has its own"
	echo 2 >"$tmp/own/src/a"
	[ "$(commit "$tmp/own")" = "$head+" ]
	good "changed sources show that they are"
fi

"$salvor" --version | head -n 1 |
	grep -Eq '^salvor [0-9]+\.[0-9]+\.[0-9]+( commit [0-9a-f]{12}\+?)?$'
good "the program says it"
totals
