"""schema.py - what a line of salvor's JSON must fit.

Raises ImportError where there is no python3-jsonschema.  Environment:
SALVOR_SRCDIR is the source tree.
"""
import copy
import json
import os
import pathlib

import jsonschema

TOP = pathlib.Path(os.environ.get("SALVOR_SRCDIR",
                                  pathlib.Path(__file__).parents[2])).resolve()
SCHEMA_FILE = TOP / "docs" / "salvor.schema.json"


def strict(schema):
    """The schema, refusing keys that it does not name."""
    schema = copy.deepcopy(schema)
    for definition in schema["$defs"].values():
        stack = [definition]
        while stack:
            part = stack.pop()
            if "properties" in part:
                if part.get("type") == "object":
                    part["additionalProperties"] = False
                stack += [p for p in part["properties"].values()
                          if isinstance(p, dict)]
            if isinstance(part.get("items"), dict):
                stack.append(part["items"])
    return schema


SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(SCHEMA)
STRICT = strict(SCHEMA)
BY_TYPE = {
    name: jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{name}", "$defs": STRICT["$defs"]})
    for name in ("file", "block", "totals", "error", "problem", "set", "bag",
                 "dropped", "missing", "conflict", "unread", "journal")}
BY_TYPE["summary"] = BY_TYPE["file"]


def unique(pairs):
    """An object none of whose keys is there twice."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands there twice")
    return dict(pairs)


def sampled(found, ends):
    """The object with so many items of each end of its lists."""
    return {key: value[:ends] + value[-ends:]
            if isinstance(value, list) and len(value) > 2 * ends else value
            for key, value in found.items()}


def fault_of(line, ends=1 << 20):
    """Hold one line against the schema, so many items of each end of its
    lists: the object in it, or None, and what is wrong, or None."""
    try:
        found = json.loads(line, object_pairs_hook=unique)
        assert line.isascii() and line.isprintable(), "more than ASCII"
        BY_TYPE[found["type"]].validate(sampled(found, ends))
    except jsonschema.ValidationError as error:
        return None, f"{error.json_path}: {error.message}"[:300]
    except (ValueError, KeyError, TypeError, AssertionError) as error:
        return None, f"{error!r}: {line[:200]}"
    return found, None
