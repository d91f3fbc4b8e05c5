#!/bin/sh
# dist-deb.sh TARBALL - Debian's packages of a release, in dist/.
#
# Run in a build folder; `make dist-deb` does.  They are built as anybody would who
# has the release: by dpkg-buildpackage, from debian/ in it.  lintian must find no
# error and no warning.
set -eu

tarball=$(realpath "${1:?}")
rm -rf deb
mkdir -p deb dist
tar -xzf "$tarball" -C deb
cd deb/salvor-*
for need in debhelper dh-python lintian; do
	dpkg-query -W "$need" >/dev/null 2>&1 && continue
	echo "dist-deb: missing: $need; to install what packages need: " \
		"apt-get build-dep ./ && apt-get install lintian" >&2
	exit 1
done
# A warning of the compiler is in the log, and no end of it.
dpkg-buildpackage -us -uc -b >../log 2>&1 || {
	tail -n 50 ../log
	exit 1
}
cd ..
lintian --fail-on error,warning --tag-display-limit 0 *.changes
mv ./*.deb ./*.buildinfo ./*.changes ../dist
