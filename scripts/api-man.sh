#!/bin/sh
# api-man.sh HEADER - print a public header as its manual page in section 3.
#
# The page is made, so that it cannot differ.  The comment at the beginning is the
# description; after it, each comment is text and each declaration is shown as it is.
# What a comment indents is shown as it is, too.
set -u

header=${1:?}
page=$(basename "$header" .h)

awk -v page="$page" '
# Plain text as roff: no line may begin with a control character.
function safe(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/`/, "", text)
	return text ~ /^[.\x27]/ ? "\\&" text : text
}

function literal(on)
{
	if (on != shown)
		print on ? ".Bd -literal" : ".Ed"
	shown = on
}

# A line of a comment, without its frame.
function told(line)
{
	sub(/^ ?\*\/.*/, "", line)
	sub(/^\/\* ?/, "", line)
	sub(/^ \* ?/, "", line)
	sub(/ *\*\/$/, "", line)
	if (line == "") {
		gap = 1
		return
	}
	if (line ~ /^(\t|  )/ && line !~ /^  [^ ]/)
		literal(1)
	else if (line !~ /^  / && (gap || shown || line ~ /^(- |[A-Z_]+: )/)) {
		literal(0)
		print ".Pp"
	}
	else if (line ~ /^  / && !item)
		literal(1)
	if (shown && gap && line ~ /^[\t ]/)
		print ""
	gap = 0
	item = line ~ /^- / || (item && line ~ /^  /)
	if (item)
		sub(/^  /, "", line)
	print safe(line)
}

function declared(line)
{
	if (line == "" && !shown)
		return
	literal(1)
	print safe(line)
}

NR == 1 {
	sub(/^\/\* [a-z_]*\.h - /, "")
	sub(/\.$/, "")
	title = $0
	next
}
# Names, for whatis.
{ lines[++n] = $0 }
/^[a-z].*slv_[a-z0-9_]+\($/ || /^[a-z].*[ *]slv_[a-z0-9_]+\(/ {
	match($0, /slv_[a-z0-9_]+\(/)
	names = names " ,\n.Nm " substr($0, RSTART, RLENGTH - 1)
}
END {
	print ".\\\" " page ".3 - made from src/" page ".h by scripts/api-man.sh."
	print ".Dd November 27, 2026"
	print ".Dt " toupper(page) " 3"
	print ".Os\n.Sh NAME\n.Nm " (page == "salvor" ? "libsalvor" : page) names
	print ".Nd " safe(title) "\n.Sh SYNOPSIS"
	print ".In " (page == "salvor_many" ? page : "salvor") ".h"
	print ".Pp\nLink with\n.Fl lsalvor ;\n.Ql pkg-config --cflags --libs salvor"
	print "prints the flags.\n.Sh DESCRIPTION"
	gap = 0
	comment = 1
	for (i = 1; i <= n; i++) {
		line = lines[i]
		if (line ~ /^#(if|ifndef|ifdef|endif|include)|^extern "C"|^#define [A-Z_]+_H$/ ||
		    (line == "}" && lines[i - 1] ~ /^#ifdef/))
			continue
		if (line ~ /^\/\*/) {
			comment = 1
			literal(0)
			print ".Pp"
		}
		if (comment)
			told(line)
		else
			declared(line)
		if (comment && line ~ /\*\/ *$/) {
			comment = gap = item = 0
		}
	}
	literal(0)
	print ".Sh SEE ALSO\n.Xr salvor 1 ,"
	m = split("salvor_many salvor_options salvor_policy salvor_problems " \
		"salvor_read salvor_report salvor_text", all, " ")
	if (page != "salvor")
		print ".Xr salvor 3 ,"
	for (k = 1; k <= m; k++)
		if (all[k] != page)
			print ".Xr " all[k] " 3" (k < m && !(k == m - 1 && all[m] == page) ? " ," : "")
}
' "$header"
