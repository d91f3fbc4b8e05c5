# good.sh - for scripts that are tests, to be sourced: what they count with.
#
# Sets salvor, the program from anywhere, and tmp, a folder that goes when the
# script does.

salvor=$(cd "$(dirname "${SALVOR:-./salvor}")" && pwd)/salvor
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

# good WHAT: the last command went well.
good() {
	if [ $? -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "no: $1"
	fi
}

# totals: the last line and the exit code of the script.
totals() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
