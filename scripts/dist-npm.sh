#!/bin/sh
# dist-npm.sh - the package for npm, in dist/: salvor compiled to WebAssembly.
#
# Run in a build folder that configure has made; `make dist-npm` does.  Emscripten and the
# sources of the libraries are Debian's; what is made is kept in npm-build/.  The system's
# own list of packages stays as it is.
#
# Environment: SALVOR_SRCDIR is the source tree, MAKE is make.
set -eu

sources='bearssl bzip2 jansson libdeflate libyaml libzstd lz4 nanopb'

top=$(cd "${SALVOR_SRCDIR:?}" && pwd)
make=${MAKE:-make}
version=$(sed -n 's/^AC_INIT(\[salvor\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
build=$PWD/npm-build
root=$build/root

# Where Debian's node finds the modules that emscripten needs; another node does not.
export NODE_PATH="${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs"

say() {
	printf 'dist-npm: %s\n' "$*" >&2
}

# An apt that knows where the system's sources are, with lists in the folder $apt.
source_apt() {
	apt-get -q -o APT::Sandbox::User=root \
		-o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State="$apt/state" -o Dir::State::status="$apt/status" \
		-o Dir::Cache="$apt/cache" "$@"
}

fetch() {
	apt=$build/apt
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
	: >"$apt/status"
	# The names in brackets are for apt.
	# shellcheck disable=SC2016
	apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' | sort -u >"$apt/sources.list"
	rm -rf "$build/sources.new"
	mkdir -p "$build/sources.new"
	# The words are meant to be split.
	# shellcheck disable=SC2086
	(source_apt update && cd "$build/sources.new" &&
		source_apt source --only-source $sources) >"$apt/log" 2>&1 || {
		cat "$apt/log" >&2
		exit 1
	}
	mv "$build/sources.new" "$build/sources"
}

# library NAME FOLDER FLAGS HEADERS FILE...: a static library of C files in the sources.
library() {
	name=$1 folder=$2 flags=$3 headers=$4
	shift 4
	[ ! -e "$root/lib/lib$name.a" ] || return 0
	(
		# Names of folders have a version, and lists are patterns.
		# shellcheck disable=SC2086
		cd "$build/sources"/$folder || exit
		mkdir -p "$build/objects/$name"
		# shellcheck disable=SC2048,SC2016
		for file in $*; do
			printf '%s\n' "$file"
		done | NAME=$name FLAGS=$flags OBJECTS=$build/objects xargs -P 2 -I FILE sh -c \
			'emcc -O3 $FLAGS -c FILE -o "$OBJECTS/$NAME/$(echo FILE | tr / _).o"' || exit
		# shellcheck disable=SC2086
		cp $headers "$root/include"
		emar rcs "$root/lib/lib$name.a" "$build/objects/$name"/*.o
	)
}

# What their own configure would find with emscripten.
configured() {
	(
		cd "$build/sources"/jansson-*/src || exit
		sed -e 's/@json_inline@/inline/' -e 's/@json_have_[a-z_]*@/1/' \
			jansson_config.h.in >jansson_config.h
		printf '#define %s 1\n' HAVE_STDINT_H HAVE_UNISTD_H HAVE_FCNTL_H \
			HAVE_SYS_TIME_H HAVE_SYS_TYPES_H HAVE_LOCALE_H HAVE_GETTIMEOFDAY \
			HAVE_ATOMIC_BUILTINS \
			>jansson_private_config.h
		echo '#define INITIAL_HASHTABLE_ORDER 3' >>jansson_private_config.h
	)
	yaml='-Iinclude -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5'
	yaml="$yaml -DYAML_VERSION_STRING=\"0.2.5\""
}

libraries() {
	mkdir -p "$root/include" "$root/lib"
	configured
	library bearssl 'bearssl-*' '-Iinc -Isrc' 'inc/*.h' \
		'src/hash/*.c src/codec/*.c'
	library bz2 'bzip2-*' '' bzlib.h blocksort.c huffman.c crctable.c randtable.c \
		compress.c decompress.c bzlib.c
	library deflate 'libdeflate-*' -I. libdeflate.h 'lib/*.c'
	library jansson 'jansson-*/src' '-I. -DHAVE_CONFIG_H' 'jansson.h jansson_config.h' '*.c'
	library lz4 'lz4-*/lib' '' '*.h' '*.c'
	library protobuf-nanopb 'nanopb-*' '' 'pb*.h' 'pb_*.c'
	library yaml 'libyaml-*' "$yaml" include/yaml.h 'src/*.c'
	library zstd 'libzstd-*/lib' -DZSTD_DISABLE_ASM '*.h' \
		'common/*.c compress/*.c decompress/*.c'
}

# The linker's options are in npm/Makefile.inc.
compile() {
	mkdir -p "$build/salvor"
	(
		cd "$build/salvor"
		unset CC CFLAGS CPPFLAGS LDFLAGS
		# WebAssembly has a stack that nothing overwrites, and no loader.
		[ -e Makefile ] || emconfigure "$top/configure" -q \
			--host=wasm32-unknown-emscripten --disable-tests --disable-shared \
			--disable-hardening --disable-dependency-tracking \
			CFLAGS=-O2 CPPFLAGS="-I$root/include" LDFLAGS="-L$root/lib" \
			JANSSON_CFLAGS=' ' JANSSON_LIBS=-ljansson \
			LZ4_CFLAGS=' ' LZ4_LIBS=-llz4 ZSTD_CFLAGS=' ' ZSTD_LIBS=-lzstd \
			DEFLATE_CFLAGS=' ' DEFLATE_LIBS=-ldeflate \
			YAML_CFLAGS=' ' YAML_LIBS=-lyaml >configure.log 2>&1 || {
			cat configure.log >&2
			exit 1
		}
		$make -s -j2 npm/salvor.js
	)
}

pack() {
	rm -rf "$build/package"
	mkdir -p "$build/package"
	cp "$top"/npm/lib/* "$top/npm/README.md" "$top/LICENSE" "$build/package"
	sed "s/@VERSION@/$version/" "$top/npm/package.json.in" >"$build/package/package.json"
	cp "$build/salvor/npm/salvor.wasm" "$build/package"
	{
		cat "$build/salvor/npm/salvor.js"
		printf '\nexport default createSalvor;\n'
	} >"$build/package/salvor.mjs"
	chmod 644 "$build/package"/*
	chmod 755 "$build/package/cli.mjs"
	mkdir -p dist
	npm pack --silent --pack-destination "$PWD/dist" "$build/package" >/dev/null
}

for tool in emcc npm dpkg-source; do
	command -v $tool >/dev/null || {
		say "there is no $tool (Debian: emscripten npm dpkg-dev)"
		exit 1
	}
done
[ -d "$build/sources" ] || fetch
libraries
compile
pack
made=dist/salvor-$version.tgz
say "$made: $(wc -c <"$made") bytes"
