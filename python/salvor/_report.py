"""What a job found, did and lost."""

import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple


class Finding(NamedTuple):
    """A finding; `salvor explain ID` says what it means."""

    id: str
    severity: str
    remedy: str
    offset: int
    length: int
    text: str


class Gap(NamedTuple):
    """Bytes that are lost.  Times are as in docs/json.md, None where the log does
    not state them."""

    offset: int
    length: int
    lost: int
    before: Optional[str]
    after: Optional[str]


class ReportChannel(NamedTuple):
    """What a log says of one channel."""

    name: Optional[str]
    type: Optional[str]
    messages: int


class Report:
    """The report of a job.

    `json` is all of it, as docs/json.md describes; the attributes are what most
    programs ask for.  str() of it is what the command line prints.
    """

    def __init__(self, text: str, brief: str, long_text: str) -> None:
        self.json: Dict[str, Any] = json.loads(text)
        self._texts = brief, long_text

    def __str__(self) -> str:
        return self._texts[0].rstrip("\n")

    def __repr__(self) -> str:
        return "<salvor.Report %s: %s>" % (self.json["file"], self.state)

    def text(self, verbose: bool = False) -> str:
        """The report for people."""
        return self._texts[verbose].rstrip("\n")

    @property
    def file(self) -> str:
        """The file, as it was named."""
        return str(self.json["file"])

    @property
    def format(self) -> Optional[str]:
        """"bddf", "rosbag" ...; None: it is no log."""
        return self.json["format"]  # type: ignore[no-any-return]

    @property
    def state(self) -> str:
        """The verdict: "intact", "damaged", "repaired", "lossy" ..."""
        return str(self.json["state"])

    @property
    def assurance(self) -> str:
        """What proves it: "none", "structure", "checksum" or "digest"."""
        return str(self.json["assurance"])

    @property
    def is_sound(self) -> bool:
        """There is nothing to repair."""
        return self.state in ("intact", "indexed")

    @property
    def kept(self) -> int:
        """How many records are kept."""
        return self._blocks("kept")

    @property
    def lost(self) -> int:
        """How many records are lost; at least so many, unless lost_exact."""
        return self._blocks("lost")

    @property
    def lost_exact(self) -> bool:
        """No more than `lost` records are lost."""
        return bool((self.json.get("blocks") or {}).get("lost_exact", True))

    @property
    def unsure(self) -> int:
        """How many of the kept records may be wrong."""
        return self._blocks("unsure")

    @property
    def bytes(self) -> Dict[str, int]:
        """Bytes of the file by fate: kept, rebuilt, lost, filler, foreign."""
        return dict(self.json.get("bytes") or {})

    @property
    def output(self) -> Optional[str]:
        """The file that was written; None: none was."""
        output = self.json.get("output") or {}
        written = output.get("outcome") in ("written", "already")
        return output.get("path") if written else None

    @property
    def findings(self) -> List[Finding]:
        """What is wrong, in the order of the file."""
        return [Finding(p["id"], p["severity"], p["remedy"], p["offset"],
                        p["length"], p["text"])
                for p in self.json.get("problems") or ()]

    @property
    def gaps(self) -> List[Gap]:
        """What is lost, in the order of the file."""
        return [Gap(g["offset"], g["length"], g["lost"], g["before"],
                    g["after"])
                for g in self.json.get("gaps") or ()]

    @property
    def channels(self) -> List[ReportChannel]:
        """The channels, in the order of their declarations."""
        return [ReportChannel(c["name"], c["type"], c["messages"])
                for c in self.json.get("channels") or ()]

    def _blocks(self, name: str) -> int:
        return int((self.json.get("blocks") or {}).get(name, 0))


Raw = Tuple[int, int, str, str, str, str]


def report_of(raw: Raw) -> Report:
    """The report in what the inner module gives."""
    return Report(raw[3], raw[4], raw[5])
