#!/bin/sh
#SBATCH --job-name=salvor
#SBATCH --ntasks=1
#SBATCH --output=salvor-%A_%a.out
#
# salvor-array.sh N COMMAND ARCHIVE JOURNALS [OPTION...] - an archive by a job
# array of Slurm.
#
# Each of the N tasks takes its part of the logs below ARCHIVE and keeps a
# journal of its own in the folder JOURNALS, which all nodes can write to.
# COMMAND is repair, verify or info; options go to it.
#
#   mkdir out
#   sbatch --array=0-15 salvor-array.sh 16 repair /data/logs journals -d out
#
# A task that was killed goes on where it was when its index is submitted
# again; N stays what it was:
#
#   sbatch --array=7 salvor-array.sh 16 repair /data/logs journals -d out
#
# What came of it, and whether anything is left to do:
#
#   salvor collect -r /data/logs journals/*
set -eu

shards=$1 command=$2 archive=$3 journals=$4
shift 4
mkdir -p "$journals"
code=0
# Who kills the task by its script means salvor, too, whatever Slurm tracks
# processes by: it would keep its journal from the task that comes next.
setpriv --pdeathsig KILL salvor "$command" -r -qq -j "${SLURM_CPUS_PER_TASK:-1}" \
	--shard "auto/$shards" \
	--journal "$journals/part-$SLURM_ARRAY_TASK_ID-of-$shards.ndjson" \
	"$@" "$archive" || code=$?

# A damaged log is a finding and no failure of the task; what salvor could not
# do is one: 8 (the machine), 16 (the command line), 32 (a limit), a signal.
[ $code -lt 128 ] && [ $((code & 56)) -eq 0 ]
