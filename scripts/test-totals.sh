#!/bin/sh
# test-totals.sh [-q] TRS... - add up what automake's test harness left.
#
# Of a program that ends with CUnit's summary, or of a script whose last
# such line is "N passed, M failed", the inner tests count; any other test
# counts as one.  Names what failed and what was skipped (not with -q), then
# prints "N passed, M failed".  A result that is not there is a failure: the
# test was never run.  Exits with 1 when anything failed.
set -u

quiet=0
[ "${1-}" = -q ] && quiet=1 && shift

passed=0 failed=0
for trs; do
	log=${trs%.trs}.log
	result=$(sed -n 's/^:test-result: *\([A-Z]*\).*/\1/p' "$trs" \
		2>/dev/null | tail -n 1)
	inner=$(awk '
		$1 == "tests" && NF == 6 { ok = $4; bad = $5; found = 1 }
		/^[0-9]+ passed, [0-9]+ failed$/ { ok = $1; bad = $3; found = 1 }
		END { if (found) print ok, bad }
	' "$log" 2>/dev/null)
	ok=${inner% *}
	bad=${inner#* }
	case $result in
	PASS | XFAIL)
		passed=$((passed + ${ok:-1}))
		failed=$((failed + ${bad:-0}))
		;;
	SKIP)
		[ $quiet = 1 ] || echo "skipped: ${trs%.trs}"
		;;
	*)
		[ $quiet = 1 ] || echo "failed: ${trs%.trs} (see $log)"
		# A crash fails without a failed test of its own.
		[ "${bad:-0}" -gt 0 ] || bad=1
		passed=$((passed + ${ok:-0}))
		failed=$((failed + bad))
		;;
	esac
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
