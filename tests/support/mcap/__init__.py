"""What judges salvor on MCAP files; shares no code with it.

    write.py     writes files as each real writer does, samples.py what is in them
    read.py      reads a file strictly, rules.py holds it against the rules that
                 readers and `mcap doctor` have
    classes.py   the ways in which files are damaged, crash.py what a writer leaves
                 that was killed
    judge.py     what of a damaged file can be kept, and what a repair kept
    npm.py       asks @mcap/core, by read_mcap.mjs
"""
