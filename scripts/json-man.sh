#!/bin/sh
# json-man.sh FILE - print docs/json.md as the manual page salvor-json(5).
#
# The page is made, so that it cannot differ.  What is understood: headings,
# paragraphs, tables of two columns, blocks indented by four spaces, `code`,
# *stress*, **strong** and [links](to).
set -u

cat <<'END'
.\" salvor-json.5 - made from docs/json.md by scripts/json-man.sh.
.Dd November 20, 2026
.Dt SALVOR-JSON 5
.Os
.Sh NAME
.Nm salvor-json
.Nd what salvor prints for machines
.Sh DESCRIPTION
END

awk '
# Plain text as roff: backslashes and dashes, and no line may begin with a
# control character.
function safe(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	if (text ~ /^[.\x27]/)
		text = "\\&" text
	return text
}

function words(text,    out, code)
{
	gsub(/\]\([^)]*\)/, "]", text)
	gsub(/\[\]/, "\001", text)
	gsub(/[][]/, "", text)
	gsub(/\001/, "[]", text)
	gsub(/\*\*/, "", text)
	out = ""
	while (match(text, /`[^`]*`|\*[^*`]+\*/)) {
		code = substr(text, RSTART + 1, RLENGTH - 2)
		out = out safe(substr(text, 1, RSTART - 1)) \
		    (substr(text, RSTART, 1) == "`" ? "\\fB" : "\\fI") \
		    safe(code) "\\fR"
		text = substr(text, RSTART + RLENGTH)
	}
	return out safe(text)
}

function close_all()
{
	if (table)
		print ".El"
	if (example)
		print ".Ed"
	table = example = 0
}

function heading(text)
{
	gsub(/`/, "", text)
	return safe(text)
}

NR == 1 { next }

/^## / {
	close_all()
	print ".Sh " toupper(heading(substr($0, 4)))
	next
}

/^### / {
	close_all()
	print ".Ss " heading(substr($0, 5))
	next
}

/^\|[- |]*\|$/ { next }

# The first row of a table is its head.
/^\|/ {
	if (!table) {
		table = 1
		print ".Bl -tag -width Ds"
		next
	}
	n = split($0, cell, / *\| */)
	print ".It " words(cell[2])
	for (i = 3; i < n; i++)
		print words(cell[i])
	next
}

/^    / {
	if (!example) {
		example = 1
		print ".Bd -literal -compact"
	}
	print safe(substr($0, 5))
	next
}

/^$/ {
	if (example) {
		print ""
		next
	}
	close_all()
	blank = 1
	next
}

{
	close_all()
	if (blank)
		print ".Pp"
	blank = 0
	print words($0)
}

END {
	close_all()
	print ".Sh SEE ALSO"
	print ".Xr salvor 1 ,"
	print ".Xr jq 1"
}
' "$1"
