# ruff: noqa: T201 - a program that prints
"""Check SARIF on standard input with the standard's own schema, and print it in short."""

import json
import sys
from pathlib import Path

import jsonschema

document = json.load(sys.stdin)
schema = json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text("utf-8"))
jsonschema.Draft202012Validator(schema).validate(document)
run = document["runs"][0]
print("valid:", *[rule["id"] for rule in run["tool"]["driver"]["rules"]])
for result in run["results"]:
    place = result["locations"][0]["physicalLocation"]
    print(
        result["level"],
        result["ruleId"],
        place["artifactLocation"]["uri"],
        *place["region"].values(),
    )
    print(" ", result["message"]["text"])
    for fix in result.get("fixes", []):
        (replaced,) = fix["artifactChanges"][0]["replacements"]
        print("  fix:", repr(replaced["insertedContent"]["text"]))
    for suppression in result.get("suppressions", []):
        print("  suppressed:", suppression["justification"])
