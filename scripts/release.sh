#!/bin/sh
# release.sh [PART...] - everything that a release consists of, in release/.
#
# Run in a build folder; `make release` does.  PART is tarball, static, wheel, deb or
# web (the package for npm, the page for the browser); without any it is all of them.  SHA256SUMS, the list of what is in it (SPDX) and the
# notes of the release are made of what is there.
#
# The same sources give the same bytes, in whatever folder and at whatever time:
# all is built from the tarball, all times are SOURCE_DATE_EPOCH (that of the last
# commit by default), and no file names the folder it was built in.
#
# Environment: SALVOR_SRCDIR is the source tree, MAKE is make, STATIC_ARCHS what to
# build static programs for (this machine).
set -eu

top=$(cd "${SALVOR_SRCDIR:?}" && pwd)
make=${MAKE:-make}
version=$(sed -n 's/^AC_INIT(\[salvor\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
name=salvor-$version
[ -n "${SOURCE_DATE_EPOCH-}" ] ||
	SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct)
LC_ALL=C TZ=UTC
export SOURCE_DATE_EPOCH LC_ALL TZ
unset DESTDIR MAKEFLAGS MFLAGS
umask 022
[ $# -gt 0 ] || set -- tarball static wheel deb web

# pack FOLDER FILE: a tarball without a trace of who made it, and when.
pack() {
	tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
		--numeric-owner --mode=u+rw,go+r,go-w --format=ustar -cf - "$1" |
		gzip -9n >"$2.new"
	mv "$2.new" "$2"
}

# The sources; all else is made of them.
make_tarball() {
	$make -s dist-gzip
	rm -rf release-build
	mkdir -p release release-build
	tar -xzf "$name.tar.gz" -C release-build
	(cd release-build && pack "$name" ../release/"$name.tar.gz")
}

# A build of the tarball that names no folder.
configured() {
	[ -d "release-build/$name" ] || make_tarball
	mkdir -p release-build/build
	cd release-build/build
	here=$(cd ../.. && pwd)/release-build
	flags="-O2 -g0 -ffile-prefix-map=$here/$name=. -ffile-prefix-map=../$name=."
	[ -e Makefile ] || "../$name/configure" -q --disable-tests CFLAGS="$flags"
	CFLAGS=$flags
	export CFLAGS
}

make_static() {
	(
		configured
		# The words are meant to be split.
		# shellcheck disable=SC2086
		SALVOR_SRCDIR="../$name" MAKE="$make" sh "../$name/scripts/dist-static.sh" \
			${STATIC_ARCHS-}
		mv dist/*-linux-* ../../release
	)
}

make_wheel() {
	(
		configured
		$make -s wheel PYTHON="${PYTHON:-python3}"
		mv dist/*.whl ../../release
	)
}

make_deb() {
	[ -e "release/$name.tar.gz" ] || make_tarball
	sh "$top/scripts/dist-deb.sh" "release/$name.tar.gz"
	mv dist/*.deb release
}

# The page is there as one file, and as a folder for a server.
make_web() {
	(
		configured
		$make -s dist-web
		rm -rf "$name-web"
		mv dist/web "$name-web"
		pack "$name-web" ../../release/"$name-web.tar.gz"
		mv dist/*.tgz dist/*.html ../../release
	)
}

for part; do
	case $part in
	tarball | static | wheel | deb | web) "make_$part" ;;
	*)
		echo "release: unknown part \"$part\"" >&2
		exit 16
		;;
	esac
done

# What changed, under the heading of this version or of none.
awk -v version="$version" '
/^## / { on = index($0, version) || $2 == "Unreleased"; next }
on' "$top/CHANGELOG.md" >release/NOTES.md
python3 "$top/scripts/release-sbom.py" "$version" release >release/salvor.spdx.json.new
mv release/salvor.spdx.json.new release/salvor.spdx.json
cd release
find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort |
	xargs sha256sum >../SHA256SUMS.new
mv ../SHA256SUMS.new SHA256SUMS
