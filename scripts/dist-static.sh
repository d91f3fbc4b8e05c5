#!/bin/sh
# dist-static.sh [ARCH...] - programs for Linux that need no library, in dist/.
#
# Run in a build folder that configure has made; `make dist-static` does.  ARCH is
# x86_64, aarch64, armhf, i686 or s390x; without any it is this machine's.  That of
# this machine is linked from the objects of the build.  For another one, Debian's
# packages of the libraries are unpacked into static/ARCH/root, and salvor is built
# with Debian's cross compiler.  The system's own list of packages stays as it is.
#
# Environment: SALVOR_SRCDIR is the source tree, MAKE is make, STRIP is strip.
set -eu

limit=4000000 # bytes: one file that is soon copied to a robot
libraries='libbearssl-dev libbz2-dev libdeflate-dev libjansson-dev liblz4-dev
libnanopb-dev libyaml-dev libzstd-dev'

top=$(cd "${SALVOR_SRCDIR:?}" && pwd)
make=${MAKE:-make}
version=$(sed -n 's/^AC_INIT(\[salvor\], \[\(.*\)\])$/\1/p' "$top/configure.ac")

say() {
	printf 'dist-static: %s\n' "$*" >&2
}

# Sets triplet, as compilers are named, debian, Debian's name of the machine, and
# folder, that of its libraries.
machine() {
	case $1 in
	x86_64) triplet=x86_64-linux-gnu debian=amd64 ;;
	aarch64) triplet=aarch64-linux-gnu debian=arm64 ;;
	armhf) triplet=arm-linux-gnueabihf debian=armhf ;;
	i686) triplet=i686-linux-gnu debian=i386 ;;
	s390x) triplet=s390x-linux-gnu debian=s390x ;;
	*)
		say "unknown machine \"$1\""
		exit 16
		;;
	esac
	folder=$triplet
	[ "$1" != i686 ] || folder=i386-linux-gnu
}

# An apt of another machine, with lists and packages in the folder $apt.
foreign_apt() {
	apt-get -q -o APT::Architecture="$debian" \
		-o APT::Architectures="$debian" -o APT::Sandbox::User=root \
		-o Dir::State="$apt/state" -o Dir::State::status="$apt/status" \
		-o Dir::Cache="$apt/cache" "$@"
}

# unpack ROOT: the libraries in a folder.
unpack() {
	apt=$PWD/static/apt-$debian
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
	: >"$apt/status"
	foreign_apt update >"$apt/log" 2>&1 ||
		say "not all lists of packages could be read: see $apt/log"
	# The words are meant to be split.
	# shellcheck disable=SC2086
	(cd "$apt" && foreign_apt download $libraries) >>"$apt/log" 2>&1 || {
		cat "$apt/log" >&2
		exit 1
	}
	rm -rf "$1"
	mkdir -p "$1.new"
	for package in "$apt"/*.deb; do
		dpkg-deb -x "$package" "$1.new"
	done
	mv "$1.new" "$1"
}

# cross ARCH: a build in static/ARCH.
cross() {
	root=$PWD/static/$1/root
	compiler=$triplet-gcc
	if ! command -v "$compiler" >/dev/null; then
		say "there is no $compiler (Debian: gcc-$triplet)"
		exit 1
	fi
	[ -d "$root" ] || unpack "$root"
	lib=$root/usr/lib/$folder
	(
		cd "static/$1"
		unset CC CFLAGS CPPFLAGS LDFLAGS
		PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
		export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
		# Nothing in it unwinds its stack.
		[ -e Makefile ] || "$top/configure" -q --host="$triplet" \
			--disable-tests --disable-shared --enable-static-program \
			CFLAGS='-O2 -fno-asynchronous-unwind-tables' \
			CPPFLAGS="-I$root/usr/include" LDFLAGS="-L$lib"
		$make -s salvor
	)
}

own=$(uname -m)
[ $# -gt 0 ] || set -- "$own"
mkdir -p dist
for arch; do
	machine "$arch"
	if [ "$arch" = "$own" ]; then
		$make -s salvor-static
		built=salvor-static strip=${STRIP:-strip}
	else
		mkdir -p "static/$arch"
		cross "$arch"
		built=static/$arch/salvor strip=$triplet-strip
	fi
	made=dist/salvor-$version-linux-$arch
	"$strip" -o "$made.new" "$built"
	mv "$made.new" "$made"
	size=$(wc -c <"$made")
	if readelf -lW "$made" | grep -q INTERP; then
		say "$made needs a loader"
		exit 1
	fi
	if [ "$size" -gt $limit ]; then
		say "$made has $size bytes, more than $limit"
		exit 1
	fi
	say "$made: $size bytes"
done
