#!/bin/sh
# confined.sh - does the program itself run confined, and only when it should?
#
# A repair into a FIFO waits for a reader when everything is parsed; then the
# kernel says what the process is forbidden.  A verify waits for its standard
# input; a file that stands under a name by then, and did not before, is
# another file, which it cannot open.
set -u

salvor=${SALVOR:-./salvor}
data=${SALVOR_SRCDIR:-.}/testdata/bddf
log=$data/bad-cut-patrol.bddf
sandbox=$("$salvor" --version | sed -n 's/^sandbox: //p')
case $sandbox in
none*)
	echo "no sandbox here: $sandbox"
	exit 77
	;;
esac
if [ ! -r /proc/self/status ]; then
	echo "no /proc here"
	exit 77
fi
tmp=$(mktemp -d) || exit 99
pid=
trap '[ -z "$pid" ] || kill -9 $pid 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM
passed=0 failed=0
# Capabilities: CHOWN, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, SYS_RESOURCE and
# LEASE.
files=0x1100000f

# is WHAT GOT WANT
is() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$1: \"$2\", want \"$3\""
	fi
}

# forbidden PID: NoNewPrivs and Seccomp, as numbers.
forbidden() {
	sed -n 's/^\(NoNewPrivs\|Seccomp\):[^0-9]*//p' "/proc/$1/status" |
		tr '\n' ' '
}

# powers PID: the capabilities that it may use.
powers() {
	sed -n 's/^CapPrm:[^0-9a-f]*//p' "/proc/$1/status"
}

# keeps NAME CONFINED: are the capabilities of $pid ours, and if it is confined,
# none but those that files need?
keeps() {
	most=-1
	[ "$2" = 0 ] || most=$files
	is "$1: capabilities" "$(powers $pid)" \
		"$(printf %016x $((0x$(powers $$) & most)))"
}

# data_is_bounded: may $pid have no more than a quarter of the memory?
data_is_bounded() {
	awk '/^MemTotal/ { all = $2 * 1024 }
		/^Max data size/ { print ($4 > 0 && $4 <= all / 4) ? "yes" : $4 }' \
		/proc/meminfo "/proc/$pid/limits"
}

# has NAME: does $pid have a file of this name open?
has() {
	find "/proc/$pid/fd" -lname "*/${1##*/}" 2>/dev/null | grep -q .
}

# asleep: does $pid wait for something?
asleep() {
	grep -q '^State:.S' "/proc/$pid/status" 2>/dev/null
}

# until_it CONDITION...: wait for it, at most ten seconds.
until_it() {
	tries=100
	until "$@" && asleep; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# repairing NAME WANT OPTION...: is a repair forbidden as much as WANT?  Leaves
# NAME.out.
repairing() {
	name=$1 want=$2
	shift 2
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo" || exit 99
	"$salvor" repair "$@" -qq -o "$tmp/fifo" "$log" &
	pid=$!
	until_it has "$log"
	is "$name: opened the log" $? 0
	is "$name: forbidden" "$(forbidden $pid)" "$want"
	keeps "$name" "${want%% *}"
	is "$name: a quarter of the memory" "$(data_is_bounded)" yes
	cat "$tmp/fifo" >"$tmp/$name.out"
	wait $pid
	is "$name: exit" $? 3
	pid=
}

# reads_confined 0|1: does $pid read the FIFO, confined or not?
reads_confined() {
	has "$tmp/fifo" && [ "$(forbidden $pid | cut -c 1)" = "$1" ]
}

# replacing NAME CODE MESSAGE CONFINED OPTION...: another file comes to stand under the
# second name while the first, standard input, is read.
replacing() {
	name=$1 code=$2 message=$3 confined=$4
	shift 4
	mkdir -p "$tmp/spool"
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo" || exit 99
	cp "$data/good-tiny.bddf" "$tmp/second"
	TMPDIR=$tmp/spool "$salvor" verify "$@" - "$tmp/second" \
		<"$tmp/fifo" >"$tmp/$name.text" 2>&1 &
	pid=$!
	exec 9>"$tmp/fifo"
	until_it reads_confined "$confined"
	is "$name: waits" $? 0
	keeps "$name" "$confined"
	cp "$data/good-tiny.bddf" "$tmp/other"
	mv "$tmp/other" "$tmp/second"
	cat "$data/good-tiny.bddf" >&9
	exec 9>&-
	wait $pid
	is "$name: exit" $? "$code"
	pid=
	is "$name: says" \
		"$(grep -c "second: was put there after salvor began" \
			"$tmp/$name.text")" "$message"
}

# reporting NAME WANT OPTION...: is a page made confined as much as WANT?
reporting() {
	name=$1 want=$2
	shift 2
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo" || exit 99
	"$salvor" report "$@" - -o "$tmp/$name.html" <"$tmp/fifo" &
	pid=$!
	exec 9>"$tmp/fifo"
	until_it reads_confined "${want%% *}"
	is "$name: forbidden" "$(forbidden $pid)" "$want"
	keeps "$name" "${want%% *}"
	cat "$tmp/log.json" >&9
	exec 9>&-
	wait $pid
	is "$name: exit" $? 0
	pid=
}

# starting NAME WANT OPTION...: is the process that starts workers forbidden as
# much as WANT, before it reads a line of rules, journal or baseline?
starting() {
	name=$1 want=$2
	shift 2
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo" || exit 99
	"$salvor" verify -qq -j 2 "$@" --policy="$tmp/fifo" \
		--baseline="$tmp/baseline" --journal="$tmp/lines" "$log" &
	pid=$!
	exec 9>"$tmp/fifo"
	until_it reads_confined "${want%% *}"
	is "$name: forbidden" "$(forbidden $pid)" "$want"
	keeps "$name" "${want%% *}"
	is "$name: has read of its journal" "$(sed -n 's/^pos:[^0-9]*//p' \
		"/proc/$pid/fdinfo/$(opened lines)")" 0
	is "$name: has opened no baseline" "$(opened baseline)" ""
	echo "max-lost=0" >&9
	exec 9>&-
	wait $pid
	is "$name: exit" $? 68
	pid=
}

# opened NAME: the descriptor of $pid to the file of that name.
opened() {
	find "/proc/$pid/fd" -lname "*/$1" 2>/dev/null | sed 's,.*/,,'
}

case $sandbox in
*"no seccomp"*) filter=0 ;;
*) filter=2 ;;
esac
repairing confined "1 $filter "
repairing free "0 0 " --no-sandbox
cmp "$tmp/confined.out" "$tmp/free.out"
is "the same output" $? 0
"$salvor" verify -qq "$tmp/confined.out"
is "that is sound" $? 0
"$salvor" verify -qq --json "$log" >"$tmp/log.json"
reporting page "1 $filter "
reporting free-page "0 0 " --no-sandbox
cmp "$tmp/page.html" "$tmp/free-page.html"
is "the same page" $? 0
"$salvor" verify -qq --digests --journal="$tmp/baseline" "$log"
cp "$tmp/baseline" "$tmp/lines"
starting batch "1 $filter "
starting free-batch "0 0 " --no-sandbox

# What is inherited is closed, except what an argument names.
inheriting() {
	name=$1 want=$2
	shift 2
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo" || exit 99
	printf '0x0 +\n0x0 0x10000000 +\n' >"$tmp/inherited"
	"$salvor" repair "$@" -qq -o "$tmp/fifo" "$log" 5<"$tmp/inherited" \
		7<"$tmp/inherited" &
	pid=$!
	until_it has "$log"
	is "$name: opened the log" $? 0
	is "$name: inherited" "$(find "/proc/$pid/fd" -lname '*/inherited' \
		2>/dev/null | sed 's,.*/,,' | sort | tr '\n' ' ')" "$want"
	cat "$tmp/fifo" >"$tmp/$name.out"
	wait $pid
	is "$name: exit" $? 3
	pid=
}
case $sandbox in
"none: built"* | "none: run by"*) closed="5 7 " named="5 7 " ;;
*) closed="" named="7 " ;;
esac
inheriting closed "$closed"
inheriting named "$named" --no-sidecar "--domain-mapfile=/dev/fd/7"

# left_open PID: what else than a log, an output and the line to the process that
# started it a worker has open, but /dev/null.
left_open() {
	find "/proc/$1/fd" -type l -printf '%l\n' 2>/dev/null |
		grep -v -e '^/dev/null$' -e '^socket:' -e '/many/' -e '/done' |
		sed 's,.*/,,' | sort | uniq -c | tr -s ' \n' ' '
}

# stopped: stop a worker that reads a log; its number.
stopped() {
	tries=2000
	while [ $tries -gt 0 ]; do
		tries=$((tries - 1))
		for worker in $(cat "/proc/$pid/task/$pid/children"); do
			kill -STOP "$worker" 2>/dev/null || continue
			if find "/proc/$worker/fd" -lname "*/many/*" 2>/dev/null |
				grep -q .; then
				echo "$worker"
				return
			fi
			kill -CONT "$worker"
		done
	done
}

# serving NAME OPTION...: what a worker has open of what the process that started it
# writes.
serving() {
	name=$1
	shift
	rm -rf "$tmp/done"
	mkdir "$tmp/done"
	"$salvor" repair -r -j 2 "$@" -d "$tmp/done" --journal="$tmp/done.lines" \
		--report="$tmp/report" --hash=sha256 --sums="$tmp/sums" \
		--html="$tmp/page" "$tmp/many" >"$tmp/said" 2>"$tmp/errors" &
	pid=$!
	worker=$(stopped)
	open=$(left_open "$worker")
	kill -CONT "$worker"
	wait $pid
	is "$name: exit" $? 3
	pid=
	rm "$tmp/done.lines"
}
if [ -r "/proc/$$/task/$$/children" ]; then
	mkdir "$tmp/many"
	for n in 1 2 3 4 5 6 7 8 9; do
		cp "$log" "$tmp/many/$n.bddf"
		cp "$log" "$tmp/many/1$n.bddf"
		cp "$log" "$tmp/many/2$n.bddf"
	done
	serving worker
	is "a worker has open" "$open" ""
	serving free-worker --no-sandbox
	is "without a sandbox it prints" \
		"$(echo "$open" | grep -c -e '1 errors.* 1 said')" 1
fi

# Whether it is there is known beforehand.
case $sandbox in
Landlock*"+ seccomp") code=0 ;;
*) code=16 ;;
esac
for how in "" "-j 2" "--journal=$tmp/journal"; do
	# shellcheck disable=SC2086
	"$salvor" verify -qq --require-sandbox $how "$data/good-tiny.bddf" \
		2>"$tmp/required"
	is "required$how: exit" $? "$code"
done
"$salvor" verify -qq --require-sandbox --no-sandbox "$data/good-tiny.bddf" \
	2>"$tmp/required"
is "required and not: exit" $? 16

case $sandbox in
Landlock*) replacing another 8 1 1 ;;
esac
replacing free-another 0 0 0 --no-sandbox
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
