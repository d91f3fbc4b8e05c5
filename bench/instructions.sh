#!/bin/sh
# instructions.sh [--write] - how many instructions does a block cost?
#
# Counted by valgrind, so that a busy machine makes no difference: two logs of
# bench/make_log, one twice as long, and of what the longer one takes more, as
# much as falls to a block.  What the digest takes is left out: it goes by
# bytes, and by the machine.  instructions.max says what a command may cost;
# --write writes it anew, a tenth above what is counted.
#
# Environment: SALVOR, SALVOR_BUILDDIR and SALVOR_SRCDIR as in `make check`, CC
# and CFLAGS as the program was built with, CI where nothing may be missing.
# The bounds are for the compiler that they name, with -O2, on x86-64;
# elsewhere the figures are printed and hold nobody up.
set -u

salvor=${SALVOR:-./salvor}
make_log=${SALVOR_BUILDDIR:-.}/bench/make_log
max=${SALVOR_SRCDIR:-.}/bench/instructions.max
cc=${CC:-gcc}
cflags=${CFLAGS--O2}

case $cflags in
*-fsanitize=* | *--coverage*)
	echo "this build counts more than its own instructions"
	exit 77
	;;
esac
if ! command -v valgrind >/dev/null; then
	echo "no valgrind here"
	[ -z "${CI-}" ] || exit 1
	exit 77
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM

# count COMMAND...: its instructions but for those of digests.  Its exit code
# says what was found in the log.
count() {
	rm -f "$tmp"/repaired*
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		--toggle-collect=slv_digest_add --collect-atstart=yes \
		"$@" >/dev/null 2>"$tmp/err"
	sed -n 's/^==[0-9]*== Collected *: *//p' "$tmp/err"
}

# logs OPTION...: one.log and two.log, both so long that threads are started;
# $more is how many more blocks two.log has.
logs() {
	one=$("$make_log" --size 2M --series 8 "$@" "$tmp/one.log") || exit 99
	two=$("$make_log" --size 4M --series 8 "$@" "$tmp/two.log") || exit 99
	one=${one#blocks } two=${two#blocks }
	more=$((${two%% *} - ${one%% *}))
}

# bound NAME: what instructions.max has for it.
bound() {
	sed -n "s/^$1  *//p" "$max"
}

passed=0 failed=0
# row NAME ARGUMENT...: of salvor; the log is the last of them.
row() {
	name=$1
	shift
	one=$(count "$salvor" "$@" "$tmp/one.log")
	two=$(count "$salvor" "$@" "$tmp/two.log")
	if [ -z "$one" ] || [ -z "$two" ]; then
		cat "$tmp/err"
		exit 99
	fi
	each=$(((two - one) / more))
	printf '%-14s %6d\n' "$name" $((each + each / 10)) >>"$tmp/max"
	printf '%-14s %6d a block, at most %s\n' "$name" $each "$(bound "$name")"
	if [ $each -le "$(bound "$name")" ] 2>/dev/null; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
}

[ "${1-}" != --write ] || max=/dev/null
compiler=$($cc --version | sed -n '1s/^gcc .* \([0-9]*\)\..*/gcc-\1/p')
printf '%-14s %6s\n' compiler "${compiler:-other}" >"$tmp/max"

logs --payload 100
row verify verify -q
row info info
logs --payload 100 --extras 2
row verify-extras verify -q
logs --payload 100 --no-footer
row repair repair -qq -o "$tmp/repaired"

if [ "${1-}" = --write ]; then
	max=${SALVOR_SRCDIR:-.}/bench/instructions.max
	sed '/^[^#]/d' "$max" >"$tmp/new"
	cat "$tmp/max" >>"$tmp/new"
	cp "$tmp/new" "$max"
	exit
fi
case "$(uname -m) $compiler $cflags" in
"x86_64 $(bound compiler) "*-O2*) ;;
*)
	echo "not $(bound compiler) -O2 on x86-64: no bound holds"
	exit 77
	;;
esac
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
