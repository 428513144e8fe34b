#!/usr/bin/python3
"""The server as a client sees it that is not gdb, and not polite: damaged packets, what cannot be done, an interrupt, other bytes."""
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from harness import run_all  # noqa: E402
import serving  # noqa: E402
from serving import BUILD, DOUBLE, Served, double  # noqa: E402

PROGRAM = os.path.join(BUILD, "examples/thermostat-O0.elf")


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.left = b""

    def send(self, data):
        self.socket.sendall(data)

    def byte(self):
        if not self.left:
            self.left = self.socket.recv(4096)
            assert self.left, "the server has gone"
        first, self.left = self.left[:1], self.left[1:]
        return first

    def packet(self):
        """The next packet's data, its escapes undone; acknowledgements before it are left out."""
        while self.byte() != b"$":
            continue
        data, total, escaped = b"", 0, False
        while (byte := self.byte()) != b"#":
            total += byte[0]
            if byte == b"}" and not escaped:
                escaped = True
                continue
            data += bytes([byte[0] ^ 0x20]) if escaped else byte
            escaped = False
        assert int(self.byte() + self.byte(), 16) == total & 255
        return data.decode("latin-1")

    def ask(self, data):
        data = data.encode("latin-1")
        self.send(b"$" + data + b"#%02x" % (sum(data) & 255))
        answer = self.packet()
        while answer.startswith("O") and answer != "OK":  # texts for the user come before
            answer = self.packet()
        return answer


def acknowledgements():
    with double(PROGRAM) as served:
        client = Client(served.port)
        client.send(b"$?#3f")
        assert client.byte() == b"+"
        assert client.packet().startswith("T05")
        client.send(b"$?#40")
        assert client.byte() == b"-"
        client.send(b"-")  # the last answer again
        assert client.packet().startswith("T05")
        assert client.ask("QStartNoAckMode") == "OK"
        client.send(b"$?#3f")
        assert client.byte() == b"$"


def patience_that_ends():
    """gdb asks again after 2 s, whatever the server does then: it gets one answer to each packet, and no more."""
    ask, answer = b"$qSupported:#71", "PacketSize=1000;"
    with double(PROGRAM) as served:
        served.process.send_signal(signal.SIGSTOP)
        client = Client(served.port)
        client.send(ask + ask + b"-" + ask)
        served.process.send_signal(signal.SIGCONT)
        assert client.packet().startswith(answer)
        client.send(b"+$vMustReplyEmpty#3a")
        assert client.packet() == ""
        client.send(b"+" + ask)  # now it is another one
        assert client.packet().startswith(answer)
        client.send(b"-")
        assert client.packet().startswith(answer)


def what_cannot_be_done():
    with double(PROGRAM) as served:
        client = Client(served.port)
        for packet in "P1=00000000", "G" + "00" * 132, "M20000,1:00", "X20000,1:a":
            assert client.ask(packet).startswith("E"), packet
        before = client.ask("m20000,4")
        assert re.fullmatch("[0-9a-f]{8}", before) and client.ask("m20000,4") == before
        for packet in "m30000,4", "m,4", "m20000", "m100000000,4", "p1000", "px", "vCont;x", "T9", "Z9,0,4", "qRcmd,zz", "m1ffff0000000,1":
            assert client.ask(packet) in ("E01", "", "OK"), packet
        assert client.ask("vMustReplyEmpty") == "" and client.ask("qNothing") == "" and client.ask("") == ""


def an_interrupt():
    """Of a program that never ends by itself: it stops where it is, and goes on from there."""
    with tempfile.TemporaryDirectory() as scratch:
        source, program = os.path.join(scratch, "spin.c"), os.path.join(scratch, "spin.elf")
        with open(source, "w", encoding="utf-8") as file:
            file.write("volatile unsigned turns;\nint main(void) { for (;;) turns++; }\n")
        subprocess.run(["scripts/target-cc", "-O2", source, "-o", program], check=True)
        with Served(DOUBLE, program, "1,20000000") as served:
            client = Client(served.port)
            client.send(b"$vCont;c#a8\x03")  # comes with it: before the next look at what has come
            assert client.packet().startswith("T02")
            turns = [client.ask(f"m{serving.symbol(program, 'turns'):x},4")]
            assert client.ask("vCont;c").endswith("replaylog:end;")
            turns.append(client.ask(f"m{serving.symbol(program, 'turns'):x},4"))
            counts = [int.from_bytes(bytes.fromhex(text), "little") for text in turns]
            assert 0 < counts[0] < counts[1], counts


def registers_by_number():
    """The description's registers can all be asked for, and those of `g` are the same."""
    with double(PROGRAM) as served:
        client = Client(served.port)
        text, part = "", ""
        while not part.startswith("l"):
            part = client.ask(f"qXfer:features:read:target.xml:{len(text):x},100")
            text += part[1:]
        numbers = {name: int(number) for name, number in re.findall(r'<reg name="(\w+)" [^>]*regnum="(\d+)"', text)}
        assert numbers["pc"] == 32 and numbers["sp"] == 2 and numbers["mcause"] == 65 + 0x342 and "ft0" not in numbers, numbers
        address = serving.symbol(PROGRAM, "control")
        assert client.ask(f"Z0,{address:x},4") == "OK" and client.ask("vCont;c").startswith("T05")
        every = client.ask("g")
        assert len(every) == 33 * 8
        for number in range(33):
            assert client.ask(f"p{number:x}") == every[8 * number:8 * number + 8], number
        assert every[32 * 8:] == address.to_bytes(4, "little").hex()
        for name, number in numbers.items():
            assert re.fullmatch("[0-9a-f]{8}|x{8}", client.ask(f"p{number:x}")), name


def threads_of(client):
    """By both ways in which gdb may ask."""
    listed = client.ask("qfThreadInfo")
    assert listed.startswith("m") and client.ask("qsThreadInfo") == "l", listed
    text, part = "", "m"
    while part.startswith("m"):
        part = client.ask(f"qXfer:threads:read::{len(text):x},40")
        text += part[1:]
    found = {int(number, 16): (name, state) for number, name, state in re.findall(r'<thread id="(\w+)"(?: name="([^"]*)")?>([^<]*)</thread>', text)}
    assert list(found) == [int(number, 16) for number in listed[1:].split(",")], (listed, text)
    return found


def threads_by_number():
    """Tasks by their control blocks; what is asked of one that is not there is refused; of one that does not run, control registers are not known."""
    program = os.path.join(BUILD, "tests/cli/kernels1.elf")
    with double(program) as served:
        client = Client(served.port)
        assert threads_of(client) == {1: ("", "no task")} and client.ask("qC") == "QC1" and client.ask("T1") == "OK"
        address = serving.symbol(program, "work")
        assert client.ask(f"Z0,{address:x},2") == "OK"
        stops = [client.ask("vCont;c") for _ in range(4)]
        assert all(re.match("T05thread:", stop) for stop in stops), stops
        runs = int(re.match("T05thread:([0-9a-f]+);", stops[-1]).group(1), 16)
        found = threads_of(client)
        assert len(found) == 3 and found[runs][1] == "running" and {name for name, _ in found.values()} == {"main", "ping", "pong"}, found
        other = next(number for number in found if number != runs)
        own = client.ask("g")
        assert client.ask(f"qThreadExtraInfo,{other:x}") == f"{found[other][0]}, not running".encode().hex()
        assert client.ask(f"Hg{other:x}") == "OK" and client.ask("g") != own and client.ask(f"p{65 + 0x342:x}") == "x" * 8
        for packet in "P1=00000000", "G" + "00" * 132:
            assert client.ask(packet).startswith("E"), packet
        for packet in f"Hg{runs:x}", "Hg0", "Hg-1":
            assert client.ask(packet) == "OK" and client.ask("g") == own, packet
        for packet in "Hg7", "Hg", "Hgx", "Hc7", "T7", "T", "Hg100000000":
            assert client.ask(packet) == "E01", packet
        for packet in "vCont", "vCont;", "vCont;s:", "vCont;s:x", "vCont;s:1;", "vCont;sc", "vCont;S:1", "vCont;C05:-", "vCont;s:100000000":
            assert client.ask(packet) in ("E01", "") or packet.endswith("-"), packet
        stopped = client.ask(f"vCont;s:{other:x};c")  # to where it runs, or to the breakpoint before
        assert re.match("T05thread:", stopped), stopped


def any_bytes():
    """Random packets and noise: it answers each packet, and goes on."""
    draw = random.Random(int(os.environ.get("EARSHOT_SEED", "1")))
    words = ["m", "p", "g", "vCont;", "c", "s", "bs", "bc", "Z0,", "z0,", "Z2,", "Z3,", "Z4,", "H", "T", "qRcmd,", "6865", "qXfer:features:read:target.xml:", ",",
             "4", "20000", "ffffffff", "-1", ";", ":", "qThreadExtraInfo,", "qXfer:threads:read::", "Hg", "Hc", "20410", "1", "0", "qfThreadInfo", "qC", "?", "X", "!", "{", "\xff"]
    for program in PROGRAM, os.path.join(BUILD, "tests/cli/kernels1.elf"):  # without tasks, and with some
        with double(program) as served:
            client = Client(served.port)
            client.ask("QStartNoAckMode")
            for _ in range(200):
                data = "".join(draw.choice(words) for _ in range(draw.randrange(1, 6)))
                if data[0] in "kDv" or "#" in data:
                    continue
                client.ask(data)
                client.send(bytes(draw.choice(b"+abc\x00\xff") for _ in range(draw.randrange(4))))
            client.send(b"$" + b"x" * 5000 + b"#00")  # too long: as if it had not come
            while client.ask("qAttached") != "1":
                continue


if __name__ == "__main__":
    sys.exit(run_all([acknowledgements, patience_that_ends, what_cannot_be_done, an_interrupt, registers_by_number, threads_by_number, any_bytes]))
