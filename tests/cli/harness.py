"""Runs functions as tests. A test fails by an exception."""
import sys
import traceback


def run_all(tests):
    """Prints what fails and, last, 'N passed, M failed'. Returns the exit code."""
    failed = 0
    for function in tests:
        try:
            function()
        except Exception:  # whatever it is, the other tests still run
            failed += 1
            print(f"FAIL {function.__name__}")
            traceback.print_exc(file=sys.stdout)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return failed != 0
