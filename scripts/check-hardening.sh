#!/bin/sh
# check-hardening.sh [PROGRAM] - is the program built as configure decided?
#
# Reads the ELF file (default: $SALVOR): PIE, all symbols bound at the start
# (BIND_NOW), relocations read-only (RELRO), a stack and segments that are not
# both writable and executable, and calls of the stack protector and of
# _FORTIFY_SOURCE; and no name of the folder where it was built.  Environment:
# SALVOR_HARDENING has the flags of compiler and linker, SALVOR_BUILDDIR is that
# folder; a flag that these do not know is not asked for.
set -u

program=${1:-${SALVOR:-./salvor}}
flags=" ${SALVOR_HARDENING-} "
passed=0 failed=0

case $flags in
*-Wl,-z,now*) ;;
*)
	echo "this build is not hardened"
	exit 77
	;;
esac
if ! command -v readelf >/dev/null; then
	echo "no readelf here"
	[ -z "${CI-}" ] || exit 1
	exit 77
fi

# Under libtool the program may be a script, with the real one in .libs.
real=$(dirname "$program")/.libs/$(basename "$program")
[ ! -e "$real" ] || program=$real

# holds FLAG WHAT FOUND: where the flag is used, what it does is found.
holds() {
	case $flags in
	*" $1"*) ;;
	*) return ;;
	esac
	if [ -n "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $2 ($1)"
	fi
}

header=$(readelf -hW "$program") || exit 99
dynamic=$(readelf -dW "$program")
segments=$(readelf -lW "$program")
symbols=$(readelf -sW --dyn-syms "$program")

holds -pie "position independent" \
	"$(echo "$header" | grep 'Type:.*DYN')"
holds -Wl,-z,now "symbols bound at the start" \
	"$(echo "$dynamic" | grep BIND_NOW)"
holds -Wl,-z,relro "read-only relocations" \
	"$(echo "$segments" | grep GNU_RELRO)"
holds -Wl,-z,noexecstack "stack not executable" \
	"$(echo "$segments" | grep 'GNU_STACK.* RW ')"
holds -Wl,-z,noexecstack "no segment writable and executable" \
	"$(echo "$segments" | grep -q '^ *LOAD.* RWE ' || echo none)"
holds -fstack-protector-strong "stack protector" \
	"$(echo "$symbols" | grep __stack_chk_fail)"
holds -D_FORTIFY_SOURCE "lengths checked by the C library" \
	"$(echo "$symbols" | grep '__[a-z]*_chk')"
# Two folders give the same bytes.
holds -ffile-prefix-map "no name of the folder of the build" \
	"$(grep -qF "${SALVOR_BUILDDIR:-/nowhere}" "$program" || echo none)"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
