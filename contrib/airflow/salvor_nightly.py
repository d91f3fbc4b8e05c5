"""A nightly audit by Apache Airflow.  The tests run the commands of its tasks.

Each of SHARDS tasks takes its part of the archive for at most two hours and
keeps a journal of its own, so that a task that is retried goes on where it
was, and the next night's does what is new.  The last task collects.  Findings
do not fail a task; what salvor could not do does.
"""
import datetime

from airflow.decorators import dag
from airflow.operators.bash import BashOperator

ARCHIVE = "/data/logs"
STATE = "/data/salvor"
SHARDS = 8

AUDIT = """
mkdir -p {state}
code=0
salvor verify -r -qq --shard {index}/{shards} --min-age 10m --max-duration 2h \
    --journal {state}/part-{index}.ndjson {archive} || code=$?
# 4 is damage; 32 is the end of the time.
[ $code -lt 128 ] && [ $((code & 24)) -eq 0 ]
"""

COLLECT = """
code=0
salvor collect -r {archive} --min-age 10m --report {state}/report.json \
    --html {state}/report.html {state}/part-*.ndjson || code=$?
[ $code -lt 128 ] && [ $((code & 16)) -eq 0 ]
"""


@dag(schedule="0 1 * * *", catchup=False,
     start_date=datetime.datetime(2026, 1, 1),
     default_args={"retries": 2})
def salvor_nightly():
    """The shards side by side, then the report."""
    shards = [
        BashOperator(
            task_id=f"shard_{index}",
            bash_command=AUDIT.format(index=index, shards=SHARDS,
                                      state=STATE, archive=ARCHIVE))
        for index in range(1, SHARDS + 1)]
    shards >> BashOperator(
        task_id="collect",
        bash_command=COLLECT.format(state=STATE, archive=ARCHIVE))


salvor_nightly()
