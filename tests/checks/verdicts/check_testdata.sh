#!/bin/sh
# check_testdata.sh - does salvor say of every log in testdata/ what the
# expect.txt beside it says it should, and are its repairs good?
#
# - make_testdata.py and its like for the other formats make the same files
#   again, byte for byte
# - verify and repair give the exit codes, state and problem ids expected
# - repair writes an output where it says so and only there; the input stays
# - repair --in-place makes the same of a copy of it, or changes nothing, and
#   undo gives that back
# - verify finds the output intact, and a second repair finds nothing to do
# - an independent reader finds nothing wrong with it
#
# Environment: SALVOR is the program, srcdir or SALVOR_SRCDIR the source tree,
# BDDF_PB2 a folder with bddf_pb2.py (made here with protoc when not set),
# SALVOR_FILES=n lets one log in n be repaired in place, for what makes it slow,
# PYTHON one that has python3-lz4, without which bags are not checked.
set -u

top=${srcdir:-${SALVOR_SRCDIR:-$(dirname "$0")/../../..}}
top=$(cd "$top" && pwd) || exit 99
python=${PYTHON:-python3}
PYTHONDONTWRITEBYTECODE=1
LC_ALL=C
export PYTHONDONTWRITEBYTECODE LC_ALL
case ${SALVOR:=$PWD/salvor} in
*/*) salvor=$(cd "$(dirname "$SALVOR")" && pwd)/$(basename "$SALVOR") ;;
*) salvor=$(command -v "$SALVOR") ;;
esac
if [ ! -x "$salvor" ]; then
	echo "check_testdata.sh: SALVOR is no program: $salvor" >&2
	exit 99
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' \
	2>/dev/null; then
	echo "check_testdata.sh: skipped, needs Python 3.8"
	exit 77
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM

# The folder of the independent reader's messages, or nothing.
pb2=${BDDF_PB2-}
if ! "$python" -c 'import google.protobuf' 2>/dev/null; then
	echo "the independent reader is skipped: it needs python3-protobuf"
	pb2=
elif [ ! -e "$pb2/bddf_pb2.py" ]; then
	pb2=$tmp
	protoc -I "$top/proto" --python_out="$tmp" "$top/proto/bddf.proto" ||
		exit 99
fi

failed=0
wrong() {
	echo "FAIL $*"
	failed=$((failed + 1))
}

# Run salvor with arguments $2...; leaves $1.json, $1.err and $1.exit.
run() {
	result=$1
	shift
	"$salvor" "$@" >"$result.json" 2>"$result.err" </dev/null
	echo $? >"$result.exit"
}

# in_place NAME: repair a copy of a log in place, and undo that.  Annotations
# need a copy.
in_place() {
	mkdir here || exit 99
	copy=$1.repaired.$ext
	if grep -q '"annotated":true' "$1.repair.json"; then
		copy=plain
		"$salvor" repair -qq --no-sidecar --no-annotate -f -o $copy "$1.$ext"
	fi
	cp "$1.$ext" here/x
	"$salvor" repair -qq --in-place here/x
	code=$?
	case $code in
	1 | 3)
		cmp "$copy" here/x ||
			wrong "$1: in place it is repaired otherwise"
		"$salvor" undo -qq here/x || wrong "$1: cannot be undone"
		;;
	esac
	cmp "$1.$ext" here/x || wrong "$1: undo does not give it back"
	[ "$(ls here)" = x ] || wrong "$1: something is left beside it"
	[ $code = "$(cat "$1.repair.exit")" ] || [ $code = 4 ] ||
		wrong "$1: in place the exit code is $code"
	rm -r here
}

# Prints a line per row that fails and leaves how many did not in passed.
cat >"$tmp/judge.py" <<'EOF_PY'
import json, os, pathlib, sys

# What the independent reader is stricter about than a repair may be.
STRANGE = {"bddf.identifier-hash-odd", "bddf.extra-count", "bddf.version",
           "bddf.series-late", "bddf.unknown-field",
           "cyber.unknown-section"}
WRITTEN = "repaired", "lossy"
EXT = sys.argv[2]
READER = dict(line.split(": ", 1)
              for line in pathlib.Path("reader").read_text().splitlines())


def answer(name, job):
    """Exit code, state and problem ids of one run."""
    lines = pathlib.Path(f"{name}.{job}.json").read_text().splitlines()
    code = pathlib.Path(f"{name}.{job}.exit").read_text().strip()
    report = json.loads(lines[0]) if len(lines) == 1 else {}
    ids = sorted({problem["id"] for problem in report.get("problems", ())})
    total = sum(report.get("bytes", {}).values())
    if report.get("size") != total:
        code += f"?{total} bytes accounted for"
    return code, report.get("state"), ",".join(ids) or "-"


def judge(name, verify, repair, state, ids):
    """Whatever is not as the row says, one text each."""
    for job, *want in (("verify", verify, None, ids),
                       ("repair", repair, state, ids)):
        for what, a, b in zip(("exit code", "state", "problems"), want,
                              answer(name, job)):
            if a is not None and a != b:
                yield f"{job}: {what} {b}, expected {a}"
    if os.path.exists(f"{name}.repaired.{EXT}") != (state in WRITTEN):
        yield f"an output that should not be there, or none in state {state}"
    if not os.path.exists(f"{name}.repaired.{EXT}"):
        return
    for job in "after", "again":
        code, got, left = answer(name, job)
        if (code, got) != ("0", "intact"):
            yield f"{job} its repair: exit code {code}, {got}, {left}"
    text = READER.get(f"./{name}.repaired.{EXT}", "not asked")
    if READER and not STRANGE & set(ids.split(",")) and text[:2] != "OK":
        yield f"the independent reader: {text}"


rows = [line.split() for line in open(sys.argv[1], encoding="utf-8")
        if line.strip() and not line.startswith("#")]
files = {name[:-len(".verify.json")] for name in os.listdir(".")
         if name.endswith(".verify.json")}
passed = failed = 0
for name in sorted(files ^ {row[0] for row in rows}):
    print(f"FAIL {name}: a file without a row, or a row without a file")
    failed += 1
for row in rows:
    found = list(judge(*row)) if row[0] in files else []
    for text in found:
        print(f"FAIL {row[0]}: {text}")
    failed += bool(found)
    passed += not found
print(passed, failed, file=open(sys.argv[3], "w", encoding="utf-8"))
EOF_PY
# make_again MAKER GIVEN...: are the files what MAKER makes, but for those that
# match a pattern?
make_again() {
	mkdir made || exit 99
	"$python" "$top/tests/support/$1" made || exit 99
	shift
	for file in made/*; do
		cmp "$file" "$data/${file##*/}" ||
			wrong "${file##*/}: made otherwise"
	done
	for file in "$data"/*; do
		for given; do
			# shellcheck disable=SC2254
			case ${file##*/} in
			$given) continue 2 ;;
			esac
		done
		[ -e "made/${file##*/}" ] || wrong "${file##*/}: nothing makes it"
	done
}

# run_all: verify and repair every log, and every output again.
run_all() {
	mkdir run && cd run || exit 99
	for file in "$data"/*."$ext"; do
		name=${file##*/}
		name=${name%."$ext"}
		cp "$file" "$name.$ext" || exit 99
		run "$name.verify" verify --json "$name.$ext"
		run "$name.repair" repair --json "$name.$ext"
		cmp "$file" "$name.$ext" || wrong "$name: the input was changed"
		seen=$((seen + 1))
		[ $((seen % ${SALVOR_FILES:-1})) -ne 0 ] || in_place "$name"
		[ -e "$name.repaired.$ext" ] || continue
		run "$name.after" verify --json "$name.repaired.$ext"
		run "$name.again" repair --json "$name.repaired.$ext"
		[ ! -e "$name.repaired.repaired.$ext" ] ||
			wrong "$name: repair finds something to do in its own output"
	done
}

# format FOLDER EXTENSION MAKER READER GIVEN...: all of one format.
format() {
	data=$top/testdata/$1
	ext=$2
	maker=$3
	reader=$4
	mkdir "$tmp/$1" && cd "$tmp/$1" || exit 99
	shift 4
	make_again "$maker" expect.txt "$@"
	run_all
	: >reader
	# The words are meant to be split.
	# shellcheck disable=SC2086
	[ -z "$reader" ] || "$python" $reader ./*.repaired."$ext" >reader
	"$python" "$tmp/judge.py" "$data/expect.txt" "$ext" counts || exit 99
	read -r good rows <counts
	passed=$((passed + good))
	failed=$((failed + rows))
}

passed=0
seen=0
reader=
[ -z "$pb2" ] || reader="$top/tests/support/bddf_reader.py --pb2 $pb2 check"
format bddf bddf make_testdata.py "$reader" 'good-*'
format carla log make_carladata.py "$top/tests/support/carla_reader.py" \
	'good-*'
format dataflash bin make_dataflashdata.py \
	"$top/tests/support/dataflash_reader.py" expect.txt
format ulog ulg make_ulogdata.py "$top/tests/support/ulog_reader.py" \
	expect.txt
if "$python" -c 'import lz4.frame' 2>/dev/null; then
	format rosbag bag make_bagdata.py "$top/tests/support/bag_reader.py" \
		'good-*' bad-unclosed-drive.bag
	format rosrecord bag make_rosrecorddata.py \
		"$top/tests/support/rosrecord_reader.py" expect.txt
else
	echo "bags are skipped: that needs python3-lz4"
	[ -z "${CI-}" ] || wrong "no python3-lz4"
fi
if "$python" -c 'import lz4.frame, zstandard' 2>/dev/null; then
	format mcap mcap make_mcapdata.py "$top/tests/support/mcap_reader.py" \
		expect.txt 'good-*' '*-real-*'
else
	echo "MCAP files are skipped: that needs python3-lz4 and -zstandard"
	[ -z "${CI-}" ] || wrong "no python3-lz4, python3-zstandard"
fi
if "$python" -c 'import google.protobuf' 2>/dev/null; then
	format cyber record make_cyberdata.py \
		"$top/tests/support/cyber_reader.py"
else
	echo "Cyber records are skipped: that needs python3-protobuf"
	[ -z "${CI-}" ] || wrong "no python3-protobuf"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
