"""Watch what a program does on its memory bus, in the words of its own source.

    import earshot

    for hit in earshot.watch("fw.elf", "temp > 80 { print temp }", probe="sim"):
        print(hit.time, hit.values["temp"], hit.file, hit.line)

`watch` returns a Watch: an iterator over hits that is a context manager, too. Its summary is there when the run has ended. With daemon=True
the run is the daemon's (earshotd); `runs` lists what it monitors, `join` looks at one of them.
"""
from ._daemon import Run
from ._errors import EarshotError, ExpectationError, LostError, OutputError, ProbeError, UsageError
from ._records import Console, Gap, Hit, Inferred, Record, Summary, Value
from ._version import VERSION as __version__
from ._watch import Watch, join, runs, stop, watch

__all__ = ["Console", "EarshotError", "ExpectationError", "Gap", "Hit", "Inferred", "LostError", "OutputError", "ProbeError", "Record", "Run",
           "Summary", "UsageError", "Value", "Watch", "__version__", "join", "runs", "stop", "watch"]
