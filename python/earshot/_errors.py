"""What goes wrong, one class for each exit status of the program, with its own words."""


class EarshotError(Exception):
    """Something went wrong; str() is what the program says of it."""


class ExpectationError(EarshotError):
    """An expectation was not met or is unknown, or the program crashed."""


class UsageError(EarshotError):
    """Arguments, statements or the program file are wrong, or `earshot` is not installed."""


class ProbeError(EarshotError):
    """Trouble with the probe, USB or the simulation."""


class LostError(EarshotError):
    """Data was lost, and that was forbidden."""


class OutputError(EarshotError):
    """A recording could not be written."""


_BY_CODE = {1: ExpectationError, 2: UsageError, 3: ProbeError, 4: LostError, 5: OutputError}


def error_of(code: int, message: str) -> EarshotError:
    """The error that an exit status means."""
    if code in _BY_CODE:
        return _BY_CODE[code](message)
    return EarshotError(message or f"earshot ended with status {code}")
