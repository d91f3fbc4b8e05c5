#!/bin/sh
# run.sh [--bless] [CASE...] - does the program still say what it should?
#
# A case is a folder beside this script:
#   cmd          shell text, run in a fresh folder that holds copies of the
#                files testdata/*/good-* and of those others, and of folders
#                there, that it names;
#                `salvor` is the program under test,
#                `poke FILE OFFSET BYTES` overwrites BYTES (as printf(1) has
#                them) in a file, `corpus FOLDER` copies a folder of the source
#                tree, which may be read-only, and prints where the copy is;
#                SALVOR_SRCDIR is the source tree
#   expect.out, expect.err   what it prints, exactly
#   expect.exit              its exit code
# --bless writes the expectations anew; read the difference before you commit
# it.  Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 99
top=${SALVOR_SRCDIR:-$here/../..}
top=$(cd "$top" && pwd) || exit 99
SALVOR_SRCDIR=$top
export SALVOR_SRCDIR
salvor=${SALVOR:-$top/salvor}
bless=no
if [ "${1-}" = --bless ]; then
	bless=yes
	shift
fi
if [ ! -x "$salvor" ]; then
	echo "run.sh: SALVOR is no program: $salvor" >&2
	exit 99
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM

LC_ALL=C
TZ=UTC
export LC_ALL TZ
unset COLUMNS
mkdir "$tmp/bin" || exit 99
printf '#!/bin/sh\nexec "%s" "$@"\n' "$salvor" >"$tmp/bin/salvor"
cat >"$tmp/bin/poke" <<'END'
#!/bin/sh
printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
END
cat >"$tmp/bin/corpus" <<'END'
#!/bin/sh
cp -r "$SALVOR_SRCDIR/$1" corpus && chmod -R u+w corpus && echo "$PWD/corpus"
END
chmod +x "$tmp/bin"/*
PATH=$tmp/bin:$PATH
export PATH

# Who started this may ignore SIGPIPE, and so would all commands of a case, and
# complain where `head` has read enough.
by=
if env --default-signal=PIPE true 2>/dev/null; then
	by='env --default-signal=PIPE'
fi

# What differs from one build or machine to the next.
clean() {
	sed -e 's/^salvor [0-9][0-9.]*\( commit [0-9a-f]*+*\)*$/salvor VERSION/' \
		-e 's/^sandbox: ..*$/sandbox: WALLS/' \
		-e 's/^SHA-1: ..*$/SHA-1: WAY/' \
		-e '/^  space: /s/, [0-9.,]* [kKMGTPE]*B free/, SPACE free/' \
		-e 's/"free":[0-9][0-9]*/"free":SPACE/g' \
		-e 's/"made_by":{"salvor":"[0-9.]*","date":"[^"]*","host":"[^"]*"/"made_by":{"salvor":"VERSION","date":"DATE","host":"HOST"/g'
}

# Run case $1; leaves out, err and exit in $tmp.
run_case() {
	rm -rf "$tmp/folder"
	mkdir "$tmp/folder" || exit 99
	# Which ones it names: by the shell alone, a process each takes longer.
	text=" $(cat "$here/$1/cmd") "
	set -- "$1"
	for file in "$top"/testdata/*/*; do
		base=${file##*/}
		case $base,$text in
		good-* | *,*[!0-9A-Za-z_]"$base"[!0-9A-Za-z_]*)
			set -- "$@" "$file"
			;;
		esac
	done
	folder=$1
	shift
	cp -r "$@" "$tmp/folder/" || exit 99
	chmod -R u+w "$tmp/folder"
	# The words are meant to be split.
	# shellcheck disable=SC2086
	(cd "$tmp/folder" && exec $by sh "$here/$folder/cmd") \
		>"$tmp/raw.out" 2>"$tmp/raw.err" </dev/null
	echo $? >"$tmp/exit"
	clean <"$tmp/raw.out" >"$tmp/out"
	clean <"$tmp/raw.err" >"$tmp/err"
}

if [ $# -eq 0 ]; then
	cd "$here" || exit 99
	set -- */
fi
passed=0
failed=0
for name; do
	name=${name%/}
	run_case "$name"
	good=yes
	for part in out err exit; do
		expect=$here/$name/expect.$part
		if [ $bless = yes ]; then
			cp "$tmp/$part" "$expect" || exit 99
		elif ! diff -u "$expect" "$tmp/$part" >"$tmp/diff" 2>&1; then
			good=no
			echo "$name: $part is not as expected"
			cat "$tmp/diff"
		fi
	done
	if [ $good = yes ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "again: SALVOR=$salvor $here/run.sh $name"
	fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
