#!/bin/sh
# chroot.sh PROGRAM [CASE...] - the golden cases, with a program that has nothing
# but itself: no library, no /proc, no /dev.
#
# Each time that a case runs salvor, it runs in a root folder that holds the
# program and, under the same names as outside, the source tree, which cannot be
# written to, and the folder of the case.  Cases about devices then have /dev
# and /proc as well.  Needs root, or namespaces of users.
#
# Environment: SALVOR_EMULATOR is a static program that runs PROGRAM, such as
# qemu-aarch64-static, if this machine cannot.
set -u

devices='repair-dev-stdout report-and-output stdout-closed usage-one-name
verify-inputs'

here=$(cd "$(dirname "$0")" && pwd) || exit 99
top=$(cd "${SALVOR_SRCDIR:-$here/..}" && pwd) || exit 99
if [ -z "${SALVOR_CHROOT-}" ]; then
	# Mounts of a namespace of its own end with it.
	map=
	[ "$(id -u)" = 0 ] || map=--map-root-user
	SALVOR_CHROOT=$(mktemp -d) || exit 99
	SALVOR_SRCDIR=$top
	export SALVOR_CHROOT SALVOR_SRCDIR
	unshare $map --mount sh "$here/chroot.sh" "$@"
	status=$?
	rm -rf "$SALVOR_CHROOT"
	exit $status
fi

root=$SALVOR_CHROOT/root
program=$1
shift
TMPDIR=$SALVOR_CHROOT/tmp
export TMPDIR

# there FOLDER: it is in the root folder, too.
there() {
	mkdir -p "$root$1" && mount --rbind "$1" "$root$1" || exit 99
}

mkdir "$TMPDIR" || exit 99
there "$top"
mount -o remount,bind,ro "$root$top" || exit 99
there "$TMPDIR"
cp "$program" "$root/salvor" || exit 99
run=/salvor
if [ -n "${SALVOR_EMULATOR-}" ]; then
	cp "$(command -v "$SALVOR_EMULATOR")" "$root/emulator" || exit 99
	run='/emulator /salvor'
fi
cat >"$SALVOR_CHROOT/salvor" <<END
#!/bin/sh
exec unshare --root="$root" --wd="\$PWD" $run "\$@"
END
chmod +x "$SALVOR_CHROOT/salvor" || exit 99

# golden CASE...: leaves the last line, the totals, in a file.
golden() {
	SALVOR=$SALVOR_CHROOT/salvor sh "$top/tests/golden/run.sh" "$@" \
		>"$SALVOR_CHROOT/said"
	sed '$d' "$SALVOR_CHROOT/said"
	tail -n 1 "$SALVOR_CHROOT/said" >>"$SALVOR_CHROOT/totals"
}

[ $# -gt 0 ] || set -- $(cd "$top/tests/golden" && echo */)
alone='' with=''
for name; do
	case " $(echo $devices) " in
	*" ${name%/} "*) with="$with ${name%/}" ;;
	*) alone="$alone ${name%/}" ;;
	esac
done
# The words are meant to be split.
# shellcheck disable=SC2086
[ -z "$alone" ] || golden $alone
# Nothing is there to take the place of standard streams that are closed.
if "$SALVOR_CHROOT/salvor" verify -q "$top/testdata/bddf/good-patrol.bddf" \
	<&- >&- 2>&-; then
	echo '1 passed, 0 failed'
else
	echo "FAIL closed standard streams: exit code $?" >&2
	echo '0 passed, 1 failed'
fi >>"$SALVOR_CHROOT/totals"
if [ -n "$with" ]; then
	there /dev
	there /proc
	# shellcheck disable=SC2086
	golden $with
fi
awk '{ ok += $1; bad += $3 } END { printf "%d passed, %d failed\n", ok, bad
	exit bad > 0 }' "$SALVOR_CHROOT/totals"
