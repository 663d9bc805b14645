"""Long computing leaves the event loop free.  Each case runs in a process of its own: the SDK patches threads."""

from __future__ import annotations

import subprocess
import sys

from plugin_process import ROOT

MEASURE = """
import time
from dify_plugin import Tool  # patches threads, as in the plugin
import gevent
from tools.background import in_background

def busy(seconds):
    end = time.perf_counter() + seconds
    count = 0
    while time.perf_counter() < end:
        count += 1
    return count

silences, last = [], time.perf_counter()
def beat():
    global last
    while True:
        gevent.sleep(0.05)
        now = time.perf_counter()
        silences.append(now - last)
        last = now

beats = gevent.spawn(beat)
calls = [gevent.spawn(in_background, busy, 2) for _ in range(6)]
counts = [call.get() for call in calls]
beats.kill()
assert all(counts), counts
print(len(silences), max(silences))
"""

REFUSALS = """
from dify_plugin import Tool
from dify_plugin.errors.model import InvokeBadRequestError
from adapter import InputError
from markdown_chunker import OptionError, StrategyError
from tools.background import in_background, refusals

def refuse(error):
    raise error

for error in (InputError("no text"), OptionError("size", 3, "at least 5"), StrategyError("too deep")):
    try:
        with refusals():
            in_background(refuse, error)
    except InvokeBadRequestError as refused:
        assert str(refused) == refused.description == str(error), refused
    else:
        raise SystemExit("not refused")
try:
    with refusals():
        in_background(refuse, ZeroDivisionError("a bug"))
except ZeroDivisionError:
    print("done")
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_loop_beats_while_six_calls_compute() -> None:
    beats, longest = run(MEASURE).split()
    assert int(beats) >= 5
    assert float(longest) < 1


def test_refusals_become_the_error_that_dify_shows_and_bugs_stay_bugs() -> None:
    assert run(REFUSALS).strip() == "done"
