#!/bin/sh
# commit.sh TOP - which commit the sources in TOP are.
#
# Prints a C header.  A release has no history: its file .commit tells.  "+" follows
# where files differ from the commit; where nothing is known the name is empty.
set -u

top=${1:?}
commit=
if [ -e "$top/.git" ] && commit=$(git -C "$top" rev-parse --short=12 HEAD 2>/dev/null); then
	git -C "$top" diff --quiet HEAD -- src proto 2>/dev/null || commit=$commit+
elif [ -f "$top/.commit" ]; then
	commit=$(cat "$top/.commit")
fi
printf '/* Made by scripts/commit.sh. */\n#define SLV_COMMIT "%s"\n' "$commit"
