"""One budget of processors for all tests that run at once: scripts/run-tests gives each program one token, and a program that spreads its work over
processes gives its own back and lets each of these take one per piece of work.

A token is a lock on one of the budget's files. Whoever holds it may end in any way: the lock goes with the process.
"""
import fcntl
import multiprocessing
import os
import time

FOLDER = 'EARSHOT_JOBS'     # environment: the folder with the budget's files
TOKEN = 'EARSHOT_TOKEN'     # environment: the descriptor of the token that the program was started with
POLL = 0.01                 # seconds


class Budget:
    """As many tokens as there are files in a folder."""

    def __init__(self, folder, count=None):
        self.folder = folder
        if count is not None:
            for number in range(count):
                with open(os.path.join(folder, str(number)), 'w', encoding='utf-8'):
                    pass
        self.files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]

    def take(self, wait=False):
        """The descriptor of a token, to be closed when it is given back. None: all are taken, and wait is false."""
        while True:
            for path in self.files:
                token = os.open(path, os.O_RDWR)
                try:
                    fcntl.flock(token, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return token
                except BlockingIOError:
                    os.close(token)
            if not wait:
                return None
            time.sleep(POLL)

    def environment(self, token):
        """For a program that inherits the token, and that asks no make whose jobs are not its own."""
        os.set_inheritable(token, True)
        inherited = {name: value for name, value in os.environ.items() if name not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL')}
        return {**inherited, FOLDER: self.folder, TOKEN: str(token)}


def _do(job):
    """A piece of work, in a process of its own."""
    function, argument = job
    folder = os.environ.get(FOLDER)
    token = Budget(folder).take(wait=True) if folder else None
    try:
        return function(argument)
    finally:
        if token is not None:
            os.close(token)


def spread(function, arguments):
    """function(argument) of each of the arguments, over as many processes as there are processors, or tokens; yields results in their order.

    The caller's own token is given back: from here on it should only wait for results."""
    token = os.environ.pop(TOKEN, None)
    if token is not None:
        os.close(int(token))
    count = len(os.listdir(os.environ[FOLDER])) if FOLDER in os.environ else len(os.sched_getaffinity(0))
    with multiprocessing.Pool(max(1, count)) as pool:
        yield from pool.imap(_do, ((function, argument) for argument in arguments))
