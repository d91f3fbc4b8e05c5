#!/bin/sh
# check_completion.sh - do the completions complete?
#
# That of bash is sourced and run; those of zsh and fish are read by their
# shells where these are there.  Environment: SALVOR is the program.
set -u

salvor=${SALVOR:-./salvor}
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

# check WHAT GOT WANT
check() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf '%s: got "%s", want "%s"\n' "$1" "$2" "$3"
	fi
}

for shell in bash zsh fish; do
	"$salvor" --completion=$shell >"$tmp/$shell" || exit 1
	if command -v $shell >/dev/null; then
		$shell -n "$tmp/$shell"
		check "$shell reads it" $? 0
	else
		echo "no $shell here: its completion was not read"
	fi
done

# Every option of every command is in each of them.
"$salvor" --help >"$tmp/help"
for command in repair verify info list explain; do
	"$salvor" $command --help >>"$tmp/help"
done
sed -n 's/^  *\(-[a-zA-Z], \)*--\([a-z-]*\).*/\2/p' "$tmp/help" | sort -u |
	while read -r option; do
		grep -q -e "--$option[= ]" "$tmp/bash" &&
			grep -q -e "--$option[='}]" "$tmp/zsh" &&
			grep -q -e " -l $option " "$tmp/fish" ||
			echo "$option"
	done >"$tmp/forgotten"
check "every option is there" "$(cat "$tmp/forgotten")" ""

if ! command -v bash >/dev/null; then
	echo "$passed passed, $failed failed"
	[ $failed -eq 0 ]
	exit
fi

# What bash offers for the words of a command line, the last to be completed.
cat >"$tmp/offer" <<'END'
compopt() { :; }
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMP_LINE="$*"
COMP_POINT=${#COMP_LINE}
set -u
_salvor salvor "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
echo ${COMPREPLY[@]+"${COMPREPLY[@]}"}
END
offer() {
	bash --norc "$tmp/offer" "$tmp/bash" salvor "$@"
}

check "commands" "$(offer "")" "repair verify info list explain"
check "a command" "$(offer rep)" "repair"
check "a file stands first" "$(offer patrol)" ""
check "a file of a command" "$(offer repair pat)" ""
check "an option" "$(offer repair --dry)" "--dry-run"
check "an option with a value" "$(offer repair --kee)" "--keep="
check "an option of another command" "$(offer info --dry)" ""
check "an option without command" "$(offer --requ)" "--require-end"
check "a value behind =" "$(offer repair --keep = "")" "suspect"
check "its beginning" "$(offer verify --color = al)" "always"
check "= itself" "$(offer verify --color =)" "auto always never"
check "a value that is a file" "$(offer repair -o pat)" ""
check "a finding" "$(offer explain bddf.cut)" "bddf.cut-block"
check "a shell" "$(offer --completion = z)" "zsh"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
