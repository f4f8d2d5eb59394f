"""`judge.py STUB REQUESTS`: official clients of services for models judge what the tests have.

STUB is the program `stub-model`, REQUESTS the folder in which our requests to each service are
written down. Each client streams what the stub answers and must read in it what was meant; each
event must be of the client's type for it, with nothing left out or added; and each of our requests
must be of the client's type for those. A table says how it went; anything else than that ends with 1.
"""

import importlib.metadata
import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from cases import CASES, Case, Refused, Said
from services import ALL


class Stub:
    """The program that serves scripts."""

    def __init__(self, program: str):
        pipe = subprocess.PIPE
        self.child = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True, encoding="utf-8")

    def follows(self, steps: list[dict]) -> str:
        """The address of a service that answers with these."""
        self.child.stdin.write(json.dumps(steps) + "\n")
        self.child.stdin.flush()
        address = self.child.stdout.readline().strip()
        assert address.startswith("http://"), f"the stub has ended: {address}"
        return address

    def end(self):
        self.child.stdin.close()
        self.child.wait()


def converse(service, address: str, case: Case) -> list[str]:
    """What a client makes of a script that is something else than what is in it."""
    talk, found = service(address), []
    for at, expected in enumerate(case.outcomes):
        if at > 0:
            talk.give()
        try:
            outcome = talk.ask()
        except service.errors as error:
            outcome, kind = service.refused(error)
            if isinstance(expected, Refused) and kind != expected.kinds.get(service.name, kind):
                found.append(f"a refusal of the kind {kind}")
        if service.name == "ollama" and isinstance(expected, Said) and expected.stop == "filtered":
            # It has no word for that.
            expected = Said(expected.text)
        if isinstance(expected, Refused):
            expected = Refused(expected.status, expected.message)
        if outcome != expected:
            found.append(f"{outcome} instead of {expected}")
    return found


def events(address: str, request: dict) -> list[dict]:
    """What the stub sends to one of our requests, event by event."""
    headers, body = request["headers"], json.dumps(request["body"]).encode()
    whole = urllib.request.Request(address + request["path"], body, headers)
    with urllib.request.urlopen(whole) as reply:
        lines = reply.read().decode().splitlines()
    data = [line.removeprefix("data: ") for line in lines if not line.startswith("event: ")]
    return [json.loads(line) for line in data if line and line != "[DONE]"]


def judge_events(service, address: str, request: dict, case: Case) -> tuple[int, list[str]]:
    """How many events there are, and what is wrong with them."""
    count, found = 0, []
    for outcome in case.outcomes:
        if isinstance(outcome, Refused):
            continue
        for event in events(address, request):
            count += 1
            found += service.event(event)
    return count, found


def judge_case(service, stub: Stub, request: dict, case: Case) -> tuple[str, list[str]]:
    found = []
    try:
        found += converse(service, stub.follows(case.steps), case)
    except Exception as error:  # Whatever a client ends with is what is wrong.
        found.append(f"{type(error).__name__}: {error}")
    try:
        count, wrong = judge_events(service, stub.follows(case.steps), request, case)
    except urllib.error.HTTPError as error:
        count, wrong = 0, [f"our request was refused: {error.read().decode()}"]
    # The same is usually wrong with many events.
    return f"{count} events" if count else "", found + list(dict.fromkeys(wrong))


def main() -> int:
    program, folder = sys.argv[1:]
    stub, wrong = Stub(program), 0
    try:
        for service in ALL:
            version = importlib.metadata.version(service.package)
            print(f"\n{service.name}, judged by {service.package} {version}")
            request = json.loads(Path(folder, f"{service.name}.request.json").read_text("utf-8"))
            rows = [("our request", "", service.body(request["body"]))]
            rows += [(case.name, *judge_case(service, stub, request, case)) for case in CASES]
            for name, what, found in rows:
                print(f"  {name:<26} {what:>10}  {'WRONG' if found else 'ok'}")
                for problem in found:
                    print(f"      {problem}")
                wrong += bool(found)
    finally:
        stub.end()
    print(f"\n{wrong} of {len(ALL) * (len(CASES) + 1)} are wrong" if wrong else "\nall as it should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
