"""Makes the calls that a test writes to its input, one JSON object a line, with the Python client, and prints what comes of each."""

import itertools
import json
import re
import sys

from sklad import Sklad, SkladError, verify_webhook


def outcome_of(call):
    pauses = []
    elapsed = lambda: sum(pauses)
    try:
        if "verify" in call:
            result = verify(call["verify"])
        else:
            result = made(call, {"wait": pauses.append, "chance": lambda: 0.5, "elapsed": elapsed})
        outcome = {"result": result}
    except SkladError as error:
        outcome = {
            "error": {
                "code": error.code,
                "status": error.status,
                "message": error.message,
                "requestId": error.request_id,
                "retryAfterSeconds": error.retry_after_seconds,
            }
        }
    except (ValueError, TypeError) as error:
        outcome = {"error": {"code": "argument", "message": str(error)}}
    return {**outcome, "pausesMs": [round(pause * 1000) for pause in pauses]}


def made(call, timing):
    settings = {**timing, "retries": call.get("retries", 4), "timeout": call.get("timeoutMs", 30_000) / 1000}
    if call["method"] == "sandboxKey":
        return Sklad.sandbox_key(call["baseUrl"], **settings)
    method = Sklad(call["key"], call["baseUrl"], **settings)
    for name in call["method"].split("."):
        method = getattr(method, snake(name))
    fields = {"from_" if name == "from" else name: value for name, value in call.get("fields", {}).items()}
    options = {snake(name): value for name, value in call.get("options", {}).items()}
    answer = method(*call.get("arguments", []), **fields, **options)
    if isinstance(answer, bytes):
        return {"begins": answer[:3].hex(), "bytes": len(answer)}
    return list(itertools.islice(answer, call.get("take"))) if hasattr(answer, "__next__") else answer


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def verify(given):
    now = lambda: given["now"]
    return verify_webhook(
        given["body"].encode(),
        given["headers"],
        given["secret"],
        tolerance_seconds=given.get("toleranceSeconds", 300),
        now=now,
    )


for line in sys.stdin:
    print(json.dumps(outcome_of(json.loads(line))), flush=True)
