#!/bin/sh
# check_completion.sh - do the completions complete?
#
# Each is read and asked by its shell, where that is there.  Environment: SALVOR
# is the program; CI is set where none may be missing.
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
		[ -z "${CI-}" ] || failed=$((failed + 1))
	fi
done

# Every option of every command is in each of them.
"$salvor" --help=all >"$tmp/help"
for command in repair undo merge verify info list export extract apply report collect explain; do
	"$salvor" $command --help=all >>"$tmp/help"
done
sed -n 's/^  *\(-[a-zA-Z], \)*--\([a-z0-9-]*\).*/\2/p' "$tmp/help" | sort -u |
	while read -r option; do
		grep -q -e "--$option[= ]" "$tmp/bash" &&
			grep -q -e "--$option[='}]" "$tmp/zsh" &&
			grep -q -e " -l $option " "$tmp/fish" ||
			echo "$option"
	done >"$tmp/forgotten"
check "every option is there" "$(cat "$tmp/forgotten")" ""

# What zsh offers for a command line: it is typed into a shell on a terminal of
# its own, whose way to hand out matches tells of them.
cat >"$tmp/offer.zsh" <<'END'
zmodload zsh/zpty || exit 77
zpty z zsh -f -i
zpty -w z "PS1=; fpath=(${(q)1} \$fpath); autoload -U compinit; compinit -u -D"
zpty -w z 'compadd() {
	local -a hits
	if [[ ${@[1,(i)(-|--)]} != *-[OAD]\ * ]]; then
		builtin compadd -O hits "$@"
		print -rl -- "HIT "${^hits}
	fi
	builtin compadd "$@"
}'
zpty -w z 'finish() { print -r -- D""ONE }; zle -N finish'
zpty -w z 'bindkey "^I" complete-word; bindkey "^X" finish; print BE""GIN'
zpty -r z seen '*BEGIN*'
zpty -w -n z "$2"$'\t'$'\x18'
zpty -r z seen '*DONE*'
print -r -- $seen
zpty -d z
END
mkdir "$tmp/functions"
cp "$tmp/zsh" "$tmp/functions/_salvor"
zsh_offers() {
	HOME=$tmp timeout 60 zsh -f "$tmp/offer.zsh" "$tmp/functions" \
		"salvor $1" | tr -d '\r' | sed -n 's/^.*HIT //p' | paste -sd' ' -
}

fish_offers() {
	HOME=$tmp XDG_CONFIG_HOME=$tmp XDG_DATA_HOME=$tmp fish --no-config -c \
		"source $tmp/fish; complete -C 'salvor $1'" |
		cut -f 1 | paste -sd' ' -
}

for shell in zsh fish; do
	command -v $shell >/dev/null || continue
	offers=${shell}_offers
	value=suspect,samples,unverified
	[ $shell = zsh ] || value=--keep=suspect,samples,unverified
	check "$shell: a command" "$($offers rep)" "repair report"
	check "$shell: an option" "$($offers "repair --dry")" "--dry-run"
	check "$shell: another command's" "$($offers "info --dry")" ""
	check "$shell: no command" "$($offers --require-e)" "--require-end"
	check "$shell: a value" "$($offers "repair --keep=")" "$value"
	check "$shell: a value apart" "$($offers "info --color al")" "always"
	check "$shell: a finding" "$($offers "explain bddf.cut")" \
		"bddf.cut-block"
	check "$shell: after an option" "$($offers "repair -n --no-si")" \
		"--no-sidecar"
done

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

check "commands" "$(offer "")" "repair undo merge verify info list export extract apply report collect explain"
check "a command" "$(offer rep)" "repair report"
check "a file stands first" "$(offer patrol)" ""
check "a file of a command" "$(offer repair pat)" ""
check "an option" "$(offer repair --dry)" "--dry-run"
check "an option with a value" "$(offer repair --kee)" "--keep="
check "an option of another command" "$(offer info --dry)" ""
check "an option without command" "$(offer --require-e)" "--require-end"
check "a value behind =" "$(offer repair --keep = "")" "suspect,samples,unverified"
check "its beginning" "$(offer verify --color = al)" "always"
check "= itself" "$(offer verify --color =)" "auto always never"
check "a value that is a file" "$(offer repair -o pat)" ""
check "a finding" "$(offer explain bddf.cut)" "bddf.cut-block"
check "a shell" "$(offer --completion = z)" "zsh"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
