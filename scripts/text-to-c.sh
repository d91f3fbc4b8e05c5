#!/bin/sh
# text-to-c.sh NAME=FILE[,FILE...]... - print C that defines each NAME as a
# string of what the FILEs hold, one behind the other.
#
# FILEs hold no NUL; lines end with a newline.
set -eu

printf '/* Made by text-to-c.sh. */\n#include "page/files.h"\n'
for word; do
	printf '\nconst char %s[] =\n' "${word%%=*}"
	printf '%s\n' "${word#*=}" | tr ',' '\n' |
		while IFS= read -r file; do
			sed -e 's/[\\"]/\\&/g' -e 's/	/\\t/g' \
				-e 's/.*/"&\\n"/' <"$file"
		done
	printf ';\n'
done
