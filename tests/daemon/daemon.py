#!/usr/bin/python3
"""earshotd as its clients see it: what it serves, to whom, and what it bears."""
import contextlib
import itertools
import json
import os
import pty
import random
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from bench import BUILD, DAEMON, EARSHOT, FOREVER, PATIENCE, THERMOSTAT, Client, Daemon, earshot, listens, until  # noqa: E402
from harness import run_all  # noqa: E402

SEED = int(os.environ.get("SEED", "1"))
BEATS = "when beat != 0 { print beat }"  # a hit for every write


def notes(done):
    """What was told on stderr, but for what only slow machines are told: that nothing has hit for 2 s."""
    return [line for line in done.stderr.splitlines() if line != "earshot: no hits yet:" and " waits for " not in line]


def same_bytes():
    """What a user sees does not depend on where the session runs."""
    speed = re.compile(r"in [0-9.]+ s \(.*")
    with Daemon() as daemon:
        for example in "thermostat", "tasks", "interrupts", "recursion":
            command = ["watch", f"{BUILD}/examples/{example}-O0.elf", "-s", f"examples/{example}/{example}.watch"]
            for more in [], ["--json"], ["--times"], ["--count", "3"], ["--for", "2ms"]:
                here, there = earshot(*command, *more), earshot(*command, *more, f"--daemon={daemon.socket}")
                assert there.returncode == here.returncode, there.stderr
                assert speed.sub("", there.stdout) == speed.sub("", here.stdout) and here.stdout, (example, more)
                assert notes(there) == notes(here), (there.stderr, here.stderr)
        objects = ["watch", f"{BUILD}/tests/cli/values.elf", "-e", "when enter(main) { snapshot }"]
        for wrong in (["watch", THERMOSTAT, "-e", "tmp > 3", "-e", "x >"], ["watch", "/bin/ls", "-e", "x"], ["watch", "/nowhere", "-e", "x"], objects):
            here, there = earshot(*wrong), earshot(*wrong, f"--daemon={daemon.socket}")
            assert (there.returncode, there.stdout) == (here.returncode, here.stdout), (wrong, there)
            if wrong[1] != "/nowhere":
                assert notes(there) == notes(here), (there.stderr, here.stderr)


def values_of_all_kinds():
    """The record form keeps every sort of value: the same text with and without the daemon."""
    with Daemon() as daemon:
        for statement in ("when plant.steps > 3 { print temp, mode, plant.steps, &plant }", "when temp > 70 { snapshot plant }", "temp becomes > 60", "cover control.c",
                          "profile *", "stack"):
            command = ["watch", THERMOSTAT, "-e", statement]
            here, there = earshot(*command), earshot(*command, f"--daemon={daemon.socket}")
            assert here.stdout.split("\n  simulated")[0] == there.stdout.split("\n  simulated")[0] and here.returncode == there.returncode, (statement, there)


def who_may_use_it():
    with Daemon() as daemon:
        assert os.stat(daemon.socket).st_mode & 0o777 == 0o600
        if os.geteuid() != 0:
            return
        probe = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.recv(99))"
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c", probe, daemon.socket]
        os.chmod(daemon.folder.name, 0o755)
        closed = subprocess.run(other, capture_output=True, text=True, check=False)
        assert "PermissionError" in closed.stderr, closed
        os.chmod(daemon.socket, 0o666)  # whoever does that has not let anybody in
        told = subprocess.run(other, capture_output=True, text=True, check=False)
        assert told.stdout.strip() in ("b''", "") and "hello" not in told.stdout, told
        with Client(daemon) as client:
            assert client.hello["protocol"] == 1


def group_may_use_it():
    if os.geteuid() != 0:
        return
    with Daemon({"daemon": {"group": "nogroup"}}) as daemon:
        os.chmod(daemon.folder.name, 0o755)
        assert os.stat(daemon.socket).st_mode & 0o777 == 0o660
        probe = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.recv(99))"
        member = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c", probe, daemon.socket]
        assert "hello" in subprocess.run(member, capture_output=True, text=True, check=False).stdout


def requests_are_checked():
    wrong = ["", "garbage", "[]", "3", "{}", '{"do":3}', '{"do":"fly"}', '{"do":"watch"}', '{"do":"join"}', '{"do":"join","run":"nobody"}',
             '{"do":"stop","run":[]}', '{"do":"watch","form":"poem"}', '{"do":"watch","program_data":"****"}', '{"do":"watch","program_data":""}',
             '{"do":"watch","program_data":"AAAA","statements":3}', '{"do":"watch","program_data":"AAAA","statements":[3]}',
             '{"do":"watch","program_data":"AAAA","statements":["x"],"seed":-1}', '{"do":"watch","program_data":"AAAA","statements":["x"],"probe":"none"}',
             '{"do":"watch","program_data":"AAAA","statements":["x"],"probe":"file:/etc/passwd"}',
             '{"do":"watch","program_data":"AAAA","statements":["x"],"clock_hz":0}', '{"do":"watch","program_data":"AAAA","statements":["x"],"record":true,"keep":1}',
             '{"do":"ping","do":"ping"}', "[" * 3000, '{"a":' * 3000, '"\xff\xfe"', '{"do":"ping","id":{}}x']
    with Daemon() as daemon, Client(daemon) as client:
        for line in wrong:
            client.raw(line.encode("latin-1") + b"\n")
            answer = client.line()
            assert answer["event"] == "error" and answer["code"] in ("usage", "output") and answer["text"], (line, answer)
        assert client.ask({"do": "ping", "id": 7}) == {"event": "reply", "id": 7}
        assert client.ask({"do": "ping", "id": "a\"b"}) == {"event": "reply", "id": "a\"b"}
        answer = client.ask({"do": "watch", "program_data": "AAAA", "program": "fw.elf", "statements": ["x > 3"]})
        assert answer["event"] == "reply"
        end = client.until("end")
        assert end["code"] == "usage" and "fw.elf" in end["text"] and "/proc" not in end["text"], end


def any_bytes():
    """Requests that were changed at random: each line is answered, or the connection ended; nobody else notices."""
    print(f"SEED={SEED}")
    chance = random.Random(SEED)
    good = [b'{"do":"runs"}', b'{"do":"watch","program":"p","program_data":"f0VMRgEBAQ==","statements":[{"file":"a","text":"x>3"}],"probe":"sim"}',
            b'{"do":"join","run":1,"form":"record"}', b'{"do":"stop","run":"sim"}']
    with Daemon() as daemon, Client(daemon) as other:
        for _ in range(300):
            with Client(daemon) as client:
                line = bytearray(chance.choice(good))
                for _ in range(chance.randrange(6)):
                    line[chance.randrange(len(line))] = chance.randrange(256)
                if chance.random() < 0.2:
                    del line[chance.randrange(len(line)):]
                client.raw(bytes(line) + (b"\n" if chance.random() < 0.9 else b""))
                if chance.random() < 0.5:
                    client.raw(b'\n{"do":"ping","id":1}\n')
                    client.until("reply", "error")
        assert other.ask({"do": "ping"})["event"] == "reply" and daemon.process.poll() is None


def runs_and_their_clients():
    with Daemon() as daemon, Client(daemon) as owner, Client(daemon) as looker:
        begun = owner.watch(FOREVER, BEATS, name="mine")
        assert begun["event"] == "reply" and begun["probe"] == "mine", begun
        owner.until("hit")
        assert [run["name"] for run in looker.ask({"do": "runs"})["runs"]] == ["mine"]
        again = looker.watch(FOREVER, BEATS, name="mine", silent=True)
        assert again["probe"] == "mine-2", again  # names are distinct
        assert looker.ask({"do": "join", "run": "mine"})["event"] == "reply"
        first = [looker.line()["event"] for _ in range(3)]
        assert first[0] == "begin" and set(first[1:]) <= {"hit", "progress"}, first
        looker.ask({"do": "leave", "run": "mine"})
        assert looker.ask({"do": "stop", "run": "mine-2"})["event"] == "reply"
        assert looker.until("end")["probe"] == "mine-2", "who stops a run is told when it has ended"
        assert looker.ask({"do": "join", "run": "mine"})["event"] == "reply"
        owner.close()  # what was begun for it ends with it
        summary = looker.until("summary")
        assert summary["hits"] > 0 and looker.until("end")["code"] == "ok"
        until(lambda: looker.ask({"do": "runs"})["runs"] == [], "both runs have ended")
        assert looker.watch(FOREVER, BEATS, keep=True, silent=True)["event"] == "reply"
    with Daemon() as daemon:
        with Client(daemon) as client:
            client.watch(FOREVER, BEATS, keep=True, name="stays")
        with Client(daemon) as client:
            until(lambda: client.ask({"do": "runs"})["runs"][0]["hits"] > 0, "it goes on")
            shown = earshot("runs", "--socket", daemon.socket)
            assert re.search(r"^stays +\S+forever.elf +running +\d+ hits  nothing lost$", shown.stdout, re.M), shown
            seen = subprocess.Popen([EARSHOT, "watch", "--run", "stays", f"--daemon={daemon.socket}", "--json"], stdout=subprocess.PIPE, text=True)
            assert '"event":"hit"' in seen.stdout.readline()
            seen.send_signal(signal.SIGINT)  # the run goes on without it
            assert seen.communicate(timeout=PATIENCE) and seen.returncode == 0
            assert earshot("runs", "--socket", daemon.socket, "--stop", "stays").returncode == 0
            assert client.ask({"do": "runs"})["runs"] == [], "it goes on"
            assert earshot("runs", "--socket", daemon.socket, "--stop", "stays").returncode == 2


def slow_clients_lose_only_their_own():
    """One that does not read is told how much it missed; another gets all: its lines are short, so that all of them have room while it is kept from reading."""
    count, label = 20000, "a_long_name_" * 30
    with tempfile.TemporaryDirectory() as folder:
        recording, fifo, statements = (os.path.join(folder, name) for name in ("recording", "fifo", "beats.watch"))
        with open(statements, "w", encoding="utf-8") as file:
            file.write(f"{label}: {BEATS}\n")
        made = earshot("watch", FOREVER, "-s", statements, "--count", str(count), "--record", recording, "-q", "--json")
        assert made.returncode == 0, made.stderr
        hits = made.stdout.count('"event":"hit"')
        os.mkfifo(fifo)
        monitor = {"program": os.path.abspath(FOREVER), "statements": statements, "probe": f"file:{fifo}"}
        with Daemon({"monitor beats": monitor}) as daemon, Client(daemon) as slow, Client(daemon) as quick:
            slow.send({"do": "join", "run": "beats"})
            assert slow.until("reply", "error")["event"] == "reply"
            assert quick.ask({"do": "join", "run": "beats", "form": "record"})["event"] == "reply"
            with open(recording, "rb") as file, open(fifo, "wb") as pipe:  # the run begins when both look
                shutil.copyfileobj(file, pipe)
            check_losses(slow, quick, hits)


def check_losses(slow, quick, hits):
    found = 0
    for line in quick.lines():
        found += line["event"] == "hit"
        assert line["event"] != "gap", line
        if line["event"] == "end":
            break
    got, missed, last = 0, 0, 0
    for line in slow.lines():
        if line["event"] == "hit":
            assert line["cycle"] > last
            got, last = got + 1, line["cycle"]
        elif line["event"] == "gap":
            assert line["what"] == "host" and line["last_cycle"] >= line["cycle"] > last, (line, last)
            missed, last = missed + line["lost"], line["last_cycle"]
        elif line["event"] == "end":
            break
    assert found == got + missed >= hits and missed > 0, (hits, found, got, missed)


def many_clients():
    """A hundred, half of them stuck: the others get everything, and the daemon's memory stays bounded."""
    with Daemon() as daemon, Client(daemon) as owner:
        run = owner.watch(FOREVER, BEATS, keep=True, silent=True)["run"]
        clients = [Client(daemon) for _ in range(100)]
        for client in clients:
            client.send({"do": "join", "run": run})
        for client in clients[:50]:
            client.until("hit")
        for client in clients[50:75]:
            client.close()
        owner.ask({"do": "stop", "run": run})
        for client in clients[:50]:
            assert client.until("end")["code"] == "ok"
            client.close()
        assert daemon.memory() < 1 << 30, daemon.memory()
        assert owner.ask({"do": "ping"})["event"] == "reply"


def ends_of_the_daemon():
    with Daemon() as daemon, Client(daemon) as client:
        client.watch(FOREVER, BEATS, keep=True, record=True)
        client.until("hit")
        assert subprocess.run([DAEMON, "--config", daemon.config, "--socket", daemon.socket], capture_output=True, text=True, check=False).returncode == 5
        daemon.process.send_signal(signal.SIGTERM)
        assert client.until("summary")["hits"] > 0 and client.until("end")["code"] == "ok" and client.line() is None
        assert daemon.process.wait(PATIENCE) == 0 and not os.path.exists(daemon.socket), daemon.said()
        daemon.start()
        daemon.end(signal.SIGKILL)
        assert os.path.exists(daemon.socket) and not listens(daemon.socket)
        daemon.start()  # what a killed one leaves is no hindrance
        assert listens(daemon.socket)


def killed_while_it_records():
    """What a killed daemon has half written, the next one cuts off: every tool reads the trace."""
    with Daemon() as daemon, Client(daemon) as client:
        client.watch(FOREVER, BEATS, keep=True, record=True)
        client.until("hit")
        trace = client.ask({"do": "runs"})["runs"][0]["trace"]
        until(lambda: '"hit"' in earshot("read", "--json", trace, "--to", "100us").stdout, "some hits are on the disk")
        daemon.end(signal.SIGKILL)
        stream = os.path.join(trace, "chunk-000001", "stream_0")
        with open(stream, "r+b") as file:
            begin = file.read(40)
            file.seek(0, os.SEEK_END)
            file.write(begin)  # a packet's head, and no more of it
        other = os.path.join(daemon.traces, "by-hand")  # of somebody else, who may be writing it
        shutil.copytree(trace, other)
        daemon.start()
        until(lambda: "a torn end of" in daemon.said(), "it was cut off")
        assert "nothing to repair" in earshot("read", "--repair", trace).stderr
        assert "was cut off" in earshot("read", "--repair", other).stderr
        read = subprocess.run(["babeltrace2", trace], capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert read.returncode == 0 and "s1" in read.stdout, read.stderr


def kept_runs_have_begun():
    """`earshot record` says that a run goes on only when it does, and what hinders it otherwise."""
    with Daemon() as daemon:
        there = f"--daemon={daemon.socket}"

        def runs():
            return [json.loads(line) for line in earshot("runs", "--json", "--socket", daemon.socket).stdout.splitlines()]

        here = earshot("watch", FOREVER, "-e", "nothing > 3")
        for program, statement, message in ((FOREVER, "nothing > 3", here.stderr), ("Makefile", "beat", "is not an ELF file"), (FOREVER, "beat >", "error:")):
            wrong = earshot("record", program, "-e", statement, there)
            assert wrong.returncode == 2 and message in wrong.stderr and "monitors it" not in wrong.stderr, (statement, wrong)
            assert not runs()
        done = earshot("record", FOREVER, "-e", "beat", there)
        assert done.returncode == 0 and done.stderr.startswith("earshot: the daemon monitors it as 'sim': "), done
        for statement, message in (("beat >", "error:"), ("when beat == 3 { halt }", "say that it may")):  # whatever the probe has
            for command in (["record", FOREVER, there], ["watch", FOREVER, there], ["watch", FOREVER, "--no-daemon"]):
                wrong = earshot(*command, "-e", statement, "--probe", "uart:/dev/none")
                assert wrong.returncode == 2 and message in wrong.stderr and "/dev/none" not in wrong.stderr, (command, wrong)
        late = earshot("record", FOREVER, "-e", "beat", "--probe", "uart:/dev/none", "--name", "late", there)
        assert late.returncode == 0 and "/dev/none" in late.stderr and "monitors it as 'late' when its probe is there: " in late.stderr, late
        assert sorted((run["name"], run["state"]) for run in runs()) == [("late", "waiting"), ("sim", "running")], runs()
        show, end = re.search(r": earshot (watch .*) shows it, earshot (runs .*) ends it$", done.stderr, re.M).groups()  # as they stand there
        with subprocess.Popen([EARSHOT, *shlex.split(show)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as shown:
            assert b"beat=" in shown.stdout.readline()
            assert earshot(*shlex.split(end)).returncode == 0
        assert [run["name"] for run in runs() if run["state"] in ("waiting", "running")] == ["late"], runs()
        with Client(daemon) as client:  # who comes later is told, too, and once
            client.send({"do": "join", "run": "late"})
            assert "/dev/none" in client.until("warning")["text"]
            client.send({"do": "stop", "run": "late"})
            told = list(itertools.takewhile(lambda line: line["event"] != "end", client.lines()))
            assert not any(line["event"] == "warning" for line in told), told


def several_stop_one_run():
    """Who stops a run gets its end once, however many do so, how often, and whoever goes away; also from a daemon that is ended meanwhile."""
    chance = random.Random(SEED)
    for ends in "run", "daemon", "itself":
        with Daemon() as daemon, Client(daemon) as owner:
            begun = owner.watch(FOREVER, BEATS, name="it", record=True, silent=True, **({"for_ns": 20000000} if ends == "itself" else {}))
            assert begun["event"] == "reply", begun
            until(lambda: owner.ask({"do": "runs"})["runs"][0]["hits"] > 0, "it goes on")
            clients = [Client(daemon) for _ in range(12)]
            gone = set(chance.sample(range(12), 4))
            for number, client in enumerate(clients):
                for _ in range(chance.randrange(1, 4)):  # what was begun as the one is the other then
                    client.send({"do": chance.choice(["join", "stop"]), "run": "it", "form": chance.choice(["report", "record"])})
                client.send({"do": "stop", "run": chance.choice(["it", str(begun["run"])]), "id": "last"})
                if number in gone:
                    client.close()
            if ends == "daemon":
                daemon.process.terminate()
            for number, client in enumerate(clients):
                if number in gone:
                    continue
                told = []
                while "end" not in told and "error" not in told:
                    line = client.line()
                    assert line is not None, (SEED, ends, number, told)
                    told.append(line["event"])
                # a run that has ended before is refused, and so is one of a daemon that ends
                assert told[-1] == "end" or ends != "run" or "has ended" in line["text"], (SEED, ends, told, line)
                if ends != "daemon":
                    client.send({"do": "ping", "id": "after"})
                while told[-1] == "end" and (line := client.line()) is not None and line.get("id") != "after":
                    assert line["event"] != "end", (SEED, ends, "twice")
                client.close()
            code = daemon.process.wait(timeout=PATIENCE) if ends == "daemon" else daemon.end()  # twice would be at once
            assert code == 0, (SEED, ends, daemon.said())


def ended_runs_are_known():
    """How they ended, what they told, where their traces are: for as long as the daemon runs; of the latest ones."""
    with Daemon() as daemon, Client(daemon) as client:
        def listed():
            return [json.loads(line) for line in earshot("runs", "--json", "--socket", daemon.socket).stdout.splitlines()]

        for name, statement, count in (("good", BEATS, 5), ("bad", "never_four: expect never beat == 4", 0), ("typed wrong", "nothing > 3", 5)):
            client.watch(FOREVER, statement, name=name, record=True, for_ns=1000000, count=count)
            client.until("end")
        lost = client.watch(FOREVER, "quick: beat", name="it's gone", probe="uart:/dev/none", record=True)
        assert lost["trace"].startswith(daemon.traces) and client.until("end")["code"] == "probe"
        gone, bad, good = listed()  # the latest first; what was wrong with statements was answered
        assert [(run["name"], run["state"], run["code"]) for run in (gone, bad, good)] == \
            [("it's gone", "failed", "probe"), ("bad", "failed", "expectation"), ("good", "ended", "ok")]
        assert "/dev/none" in gone["text"] and "trace" not in gone and good["hits"] == 5 and good["lost"] == good["not_stored"] == 0
        read = earshot("read", good["trace"], "--json")
        assert read.stdout.count('"event":"hit"') == 5, read
        assert good["stored"] > 5 and good["stored_bytes"] == sum(os.path.getsize(os.path.join(at, file)) for at, _, files in os.walk(good["trace"])
                                                                  for file in files if file.startswith("stream")), good
        assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", good["ended_at"]) and good["cycle"] > 0
        shown = earshot("runs", "--socket", daemon.socket)
        assert "monitors nothing" in shown.stderr
        assert re.search(r"^good +\S+forever.elf +ended +5 hits  nothing lost  \S+ \(\d.*\)  until 20\d\d-", shown.stdout, re.M), shown.stdout
        assert re.search(r"^it's gone +\S+ +failed +0 hits .*\n    .*/dev/none", shown.stdout, re.M), shown.stdout
        for asked in (("watch", "--run", "good", f"--daemon={daemon.socket}"), ("runs", "--stop", "good", "--socket", daemon.socket)):
            told = earshot(*asked)
            assert told.returncode == 2 and f"the run 'good' has ended; its trace is in {good['trace']}" in told.stderr, told
        for number in range(70):
            client.watch(FOREVER, BEATS, name=f"run {number}", for_ns=1000)
            client.until("end")
        assert [run["name"] for run in listed()] == [f"run {number}" for number in range(69, 5, -1)]


def traces_that_are_not_whole():
    """What the disk did not take to the end is counted as not stored, the run has failed, and who stops it learns so."""
    for fault in "full", "removed":
        with Daemon() as daemon:
            if fault == "removed":
                os.rmdir(daemon.traces)
            there = f"--daemon={daemon.socket}"
            begun = earshot("record", FOREVER, "-e", "beat", there, "--name", "it")
            assert begun.returncode == 0, begun
            if fault == "full":
                resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (20000, 20000))
            hits = 0
            while hits < 3000:
                hits = json.loads(earshot("runs", "--json", "--socket", daemon.socket).stdout)["hits"]
                time.sleep(0.05)
            with Client(daemon) as client:
                client.ask({"do": "join", "run": "it"})
                stopped = earshot("runs", "--stop", "it", "--socket", daemon.socket)
                end = client.until("end")
            why = "the end of the trace could not be written: File too large" if fault == "full" else "no trace can be written there"
            assert stopped.returncode == 5 and why in stopped.stderr and end["code"] == "output" and why in end["text"], (stopped, end)
            ended = json.loads(earshot("runs", "--json", "--socket", daemon.socket).stdout)
            assert ended["state"] == "failed" and ended["code"] == "output" and ended["lost"] == 0, ended
            kept = 0 if fault == "removed" else earshot("read", ended["trace"], "--json").stdout.count('"event":"hit"')
            others = ended["stored"] + ended["not_stored"] - ended["hits"]  # notes, the program's output, the summary
            assert 0 <= others < 20 and ended["not_stored"] > 1000 and kept <= ended["stored"] <= kept + others, (kept, ended)


def traces_are_named():
    """`earshot record` says where its trace is; what it says can be pasted into a shell."""
    with Daemon() as daemon:
        there = f"--daemon={daemon.socket}"
        text = earshot("record", FOREVER, "-e", "beat", there, "--name", "it's a run; really")
        trace, = [os.path.join(daemon.traces, name) for name in os.listdir(daemon.traces)]
        assert f"earshot: the trace is kept in {trace}\n" in text.stderr, text
        stop = re.search(r"earshot (runs --stop .*) ends it", text.stderr).group(1)
        done = subprocess.run(["sh", "-c", f"{EARSHOT} {stop}"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (stop, done)
        told = json.loads(earshot("record", FOREVER, "-e", "beat", there, "--json").stdout)
        assert told["event"] == "trace" and not told["over"] and os.path.dirname(told["directory"]) == daemon.traces, told
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "my trace")
        text = earshot("record", FOREVER, "-e", "beat", "--count", "3", "--out", trace)
        notes_told = [line for line in text.stderr.splitlines() if "trace" in line]
        assert notes_told == [f"earshot: the trace is kept in {trace}", f"earshot: the trace is in {trace}: earshot read '{trace}' shows it"], text
        told = earshot("record", FOREVER, "-e", "beat", "--count", "3", "--out", trace + "2", "--json").stdout.splitlines()
        told = [json.loads(line) for line in told]
        assert [(line["directory"], line["over"]) for line in told if line["event"] == "trace"] == [(trace + "2", False), (trace + "2", True)]
        assert told[-1]["event"] == "trace" and "summary" in [line["event"] for line in told]


def configured_runs_that_fail():
    """Nobody asked for them: what is wrong with one is in the log, and in the list."""
    with tempfile.TemporaryDirectory() as folder:
        watch = os.path.join(folder, "wrong.watch")
        with open(watch, "w", encoding="utf-8") as file:
            file.write("nothing > 3\n")
        wrong = {"program": os.path.abspath(FOREVER), "statements": watch, "probe": "sim"}
        with Daemon({"monitor wrong": wrong}) as daemon:
            until(lambda: "[monitor wrong] has ended" in daemon.said(), "the log tells")
            assert "nothing" in daemon.said() and "wrong.watch:1" in daemon.said(), daemon.said()
            run = json.loads(earshot("runs", "--json", "--socket", daemon.socket).stdout)
            assert (run["name"], run["state"], run["code"]) == ("wrong", "failed", "usage") and "nothing" in run["text"], run


def names_of_runs():
    """They are shown in lines on terminals, and traces' folders are called after them."""
    with Daemon() as daemon, Client(daemon) as client:
        for name in "a\nb", "a\x1b[31mb", "a\x7fb", "x" * 201:
            refused = client.watch(FOREVER, BEATS, keep=True, record=True, name=name)
            assert refused["event"] == "error" and refused["code"] == "usage" and '"name"' in refused["text"], refused
        for name in "x" * 200, "Prüfstand 2", "../up":
            assert client.watch(FOREVER, BEATS, keep=True, record=True, name=name)["event"] == "reply"
            assert any(line["event"] == "hit" and line["probe"] == name for line in client.lines())
        assert len(os.listdir(daemon.traces)) == 3 and not os.path.exists(os.path.join(daemon.folder.name, "up")), os.listdir(daemon.traces)


def without_its_terminal():
    """A terminal that is closed ends the daemon as SIGTERM does; under nohup it goes on."""
    with Daemon() as daemon, Client(daemon) as client:
        client.watch(FOREVER, BEATS, keep=True, record=True)
        client.until("hit")
        daemon.process.send_signal(signal.SIGHUP)
        assert client.until("summary")["hits"] > 0 and client.until("end")["code"] == "ok"
        assert daemon.process.wait(PATIENCE) == 0 and not os.path.exists(daemon.socket), daemon.said()
    with Daemon(wrapper=["nohup"]) as daemon:
        daemon.process.send_signal(signal.SIGHUP)
        with Client(daemon) as client:
            assert client.ask({"do": "ping"})["event"] == "reply"


def says_where_it_is():
    """In one line: on a terminal, and in the log of who starts it otherwise."""
    with Daemon() as daemon:
        until(lambda: daemon.said().endswith("\n"), "it says something")
        assert daemon.said() == f"earshotd: listens on {daemon.socket}, keeps traces in {daemon.traces}; SIGTERM ends it\n", daemon.said()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        master, slave = pty.openpty()
        with subprocess.Popen([DAEMON, "--config", "/dev/null", "--socket", path], stderr=slave) as process:
            os.close(slave)
            said = b""
            while not said.endswith(b"\n"):
                said += os.read(master, 1000)
            assert said.decode() == f"earshotd: listens on {path}, keeps no traces (--directory DIR); ^C ends it\r\n", said
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=PATIENCE) == 0
        os.close(master)


def where_it_cannot_listen():
    """And where it cannot keep a trace: what to do is told."""
    with tempfile.TemporaryDirectory() as folder:
        told = subprocess.run([DAEMON, "--socket", os.path.join(folder, "none", "socket"), "--directory", folder], capture_output=True, text=True, check=False)
        assert told.returncode == 5 and "No such file or directory (make its folder, or name another socket" in told.stderr, told
        path = os.path.join(folder, "socket")
        with subprocess.Popen([DAEMON, "--config", "/dev/null", "--socket", path]) as process:
            until(lambda: listens(path), "the daemon listens")
            told = earshot("record", FOREVER, "-e", "beat", f"--daemon={path}")
            process.terminate()
        assert told.returncode == 2 and "keeps no traces: name a directory with --directory" in told.stderr, told


def ended_after(connection):
    """How many bytes of a line without an end the daemon takes until it ends the connection."""
    sent = 0
    try:
        while sent < 80 << 20:
            sent += connection.send(b" " * 65536)
    except (BrokenPipeError, ConnectionResetError):
        pass
    return sent


@contextlib.contextmanager
def at_free_port(token_file):
    """A daemon at a port of TCP. Another program may take that which was free just now: then the daemon ends, and the next one is tried."""
    for _ in range(10):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with Daemon({"tcp": {"listen": f"127.0.0.1:{port}", "token_file": token_file}}) as daemon:
            if daemon.process.poll() is None:
                yield daemon, port
                return
            assert "use" in daemon.said(), daemon.said()
    raise AssertionError("no port is free")


def tcp_needs_a_token():
    with tempfile.NamedTemporaryFile("w") as token:
        token.write("correct horse battery\n")
        token.flush()
        with at_free_port(token.name) as (_, port):
            for request, answer in (({"do": "runs"}, "error"), ({"do": "authenticate", "token": "wrong"}, "error"), ({"do": "authenticate"}, "error"),
                                    ({"do": "authenticate", "token": "correct horse battery"}, "reply")):
                with socket.create_connection(("127.0.0.1", port)) as connection:
                    lines = connection.makefile("rw", encoding="utf-8")
                    assert json.loads(lines.readline())["authenticate"] is True
                    lines.write(json.dumps(request) + "\n")
                    lines.flush()
                    assert json.loads(lines.readline())["event"] == answer, request
                    if answer == "error":
                        assert lines.readline() == ""  # and out
                    else:
                        lines.write('{"do":"runs"%s}\n' % (" " * 100000))
                        lines.flush()
                        assert json.loads(lines.readline())["runs"] == []
            with socket.create_connection(("127.0.0.1", port)) as connection:  # who has not told it takes no memory either
                connection.settimeout(PATIENCE)
                assert ended_after(connection) < 8 << 20


def configurations():
    wrong = {"x = 1": "section", "[daemon]\nsocket =": "socket: needs a value", "[daemon]\ncolour = blue": "colour: is not known here; there are socket, group",
             "[trace]\nrotate_bytes = many": "rotate_bytes: it takes a number of bytes", "[trace]\nkeep_age = 3": "takes a time with its unit",
             "[tcp]\nlisten = here": "ADDRESS:PORT", "[tcp]\nlisten = 127.0.0.1:7470": "token_file", "[monitor a]\nprogram = x": "needs program, statements and probe",
             "[monitor a]\nrecord = maybe": "yes or no", "nonsense": "neither", "[poem]\na = b": "[poem] is not known"}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.conf")
        for text, told in wrong.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + "\n")
            done = subprocess.run([DAEMON, "--check", "--config", path], capture_output=True, text=True, check=False)
            assert done.returncode == 2 and told in done.stderr and path in done.stderr, (text, done.stderr)
        done = subprocess.run([DAEMON, "--check", "--config", "packaging/systemd/earshotd.conf"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def monitors_of_the_configuration():
    with tempfile.TemporaryDirectory() as folder:
        watch = os.path.join(folder, "beat.watch")
        with open(watch, "w", encoding="utf-8") as file:
            file.write("beats: when beat % 4096 == 0 { print beat }\n")
        monitor = {"program": os.path.abspath(FOREVER), "statements": watch, "probe": "sim", "record": "yes"}
        missing = {"program": os.path.abspath(FOREVER), "statements": watch, "probe": "uart:/dev/nowhere"}
        with Daemon({"monitor bench": monitor, "monitor later": missing}) as daemon, Client(daemon) as client:
            until(lambda: all(run["state"] == {"bench": "running", "later": "waiting"}[run["name"]] for run in client.ask({"do": "runs"})["runs"]), "both are there")
            client.ask({"do": "join", "run": "bench"})
            client.until("hit")
            assert daemon.end() == 0


def passed_by_systemd():
    """A socket that was made before the daemon: as systemd passes it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(path)
            listening.listen()
            start = f'import os, sys; os.dup2({listening.fileno()}, 3); os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid())); os.execv(sys.argv[1], sys.argv[1:])'
            process = subprocess.Popen([sys.executable, "-c", start, DAEMON, "--config", "/dev/null"], pass_fds=[listening.fileno()])
            with Client(path) as client:
                assert client.ask({"do": "ping"})["event"] == "reply"
            process.terminate()
            assert process.wait(PATIENCE) == 0 and os.path.exists(path)  # it is systemd's


def hardened():
    """What systemd's own judge says of the unit."""
    with tempfile.TemporaryDirectory() as folder:
        unit = os.path.join(folder, "earshotd.service")
        with open("packaging/systemd/earshotd.service", encoding="utf-8") as source, open(unit, "w", encoding="utf-8") as file:
            file.write(source.read().replace("@PREFIX@", "/usr"))
        judged = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=20", unit], capture_output=True, text=True, check=False)
        assert judged.returncode == 0 and "exposure level" in judged.stdout, judged.stdout + judged.stderr


TESTS = [same_bytes, values_of_all_kinds, who_may_use_it, group_may_use_it, requests_are_checked, any_bytes, runs_and_their_clients,
         slow_clients_lose_only_their_own, many_clients, ends_of_the_daemon, killed_while_it_records, kept_runs_have_begun, several_stop_one_run,
         ended_runs_are_known, traces_that_are_not_whole,
         traces_are_named, configured_runs_that_fail, names_of_runs,
         without_its_terminal, says_where_it_is, where_it_cannot_listen, tcp_needs_a_token, configurations, monitors_of_the_configuration, passed_by_systemd, hardened]
chosen = [test for test in TESTS if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]]
sys.exit(run_all(chosen))
