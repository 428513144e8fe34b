"""Traces in CTF as LTTng's kernel tracer writes them, a stream for each CPU, through a model of its ring buffers: what the consumer is too slow for is
lost, in discard mode (new events, counted in `events_discarded` of the packet that is full until then) or in overwrite mode (the oldest packets whole,
which shows in `packet_seq_num`)."""
import os
import struct
import uuid

MAGIC, TRACE_UUID = 0xC1FC1FC1, uuid.UUID("6471ecfc-c231-4c4c-9929-96902e481925")
COMM = "integer { size = 8; align = 8; signed = 0; encoding = UTF8; base = 10; } {}[16];"
EVENTS = {  # name: (field, C type, format of struct); as lttng-modules 2.9 has them
    "sched_switch": (("prev_comm", "comm", "16s"), ("prev_tid", "int32_t", "i"), ("prev_prio", "int32_t", "i"), ("prev_state", "int64_t", "q"),
                     ("next_comm", "comm", "16s"), ("next_tid", "int32_t", "i"), ("next_prio", "int32_t", "i")),
    "sched_waking": (("comm", "comm", "16s"), ("tid", "int32_t", "i"), ("prio", "int32_t", "i"), ("target_cpu", "int32_t", "i")),
    "sched_wakeup": (("comm", "comm", "16s"), ("tid", "int32_t", "i"), ("prio", "int32_t", "i"), ("target_cpu", "int32_t", "i")),
    "sched_wakeup_new": (("comm", "comm", "16s"), ("tid", "int32_t", "i"), ("prio", "int32_t", "i"), ("target_cpu", "int32_t", "i")),
    "irq_handler_entry": (("irq", "int32_t", "i"),),
    "irq_handler_exit": (("irq", "int32_t", "i"), ("ret", "int32_t", "i")),
}
NUMBERS = {name: number for number, name in enumerate(EVENTS)}
HEAD, EVENT_HEAD = struct.Struct("<I16sI"), struct.Struct("<I")


def metadata(times_of_packets=True):
    """The text. Without times of packets nobody can say when what was discarded would have come."""
    times = "\tuint64_clock_monotonic_t timestamp_begin;\n\tuint64_clock_monotonic_t timestamp_end;\n" if times_of_packets else ""
    text = ["/* CTF 1.8 */"]
    for bits in 8, 16, 32, 64:
        text.append(f"typealias integer {{ size = {bits}; align = 8; signed = false; }} := uint{bits}_t;")
        text.append(f"typealias integer {{ size = {bits}; align = 8; signed = true; }} := int{bits}_t;")
    text.append("typealias integer { size = 64; align = 8; signed = false; } := unsigned long;")
    text.append("typealias integer { size = 5; align = 1; signed = false; } := uint5_t;")
    text.append(f'trace {{ major = 1; minor = 8; uuid = "{TRACE_UUID}"; byte_order = le;\n'
                "\tpacket.header := struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; };\n};")
    text.append('env { hostname = "host"; domain = "kernel"; sysname = "Linux"; kernel_release = "4.1.10"; tracer_name = "lttng-modules"; '
                "tracer_major = 2; tracer_minor = 9; tracer_patchlevel = 0; };")
    text.append('clock { name = "monotonic"; freq = 1000000000; offset = 0; };')
    for bits, align in (27, 1), (64, 8):
        text.append(f"typealias integer {{ size = {bits}; align = {align}; signed = false; map = clock.monotonic.value; }} := uint{bits}_clock_monotonic_t;")
    text.append(f"struct packet_context {{\n{times}\tuint64_t content_size;\n\tuint64_t packet_size;\n\tuint64_t packet_seq_num;\n"
                "\tunsigned long events_discarded;\n\tuint32_t cpu_id;\n};")
    text.append("struct event_header_compact {\n\tenum : uint5_t { compact = 0 ... 30, extended = 31 } id;\n\tvariant <id> {\n"
                "\t\tstruct { uint27_clock_monotonic_t timestamp; } compact;\n"
                "\t\tstruct { uint32_t id; uint64_clock_monotonic_t timestamp; } extended;\n\t} v;\n} align(8);")
    text.append("stream { id = 0; event.header := struct event_header_compact; packet.context := struct packet_context; };")
    for name, fields in EVENTS.items():
        members = " ".join(f"integer {{ size = 8; align = 8; signed = 0; encoding = UTF8; }} _{field}[16];" if kind == "comm" else f"{kind} _{field};"
                           for field, kind, _ in fields)
        text.append(f"event {{ name = \"{name}\"; id = {NUMBERS[name]}; stream_id = 0; fields := struct {{ {members} }}; }};")
    return "\n".join(text) + "\n"


def packed(name, fields):
    """An event's payload; what a field is not said to be is 0, or the name of a thread."""
    return b"".join(struct.pack("<" + form, f"thread{fields.get(field.replace('comm', 'tid'), 0)}".encode() if kind == "comm" else fields.get(field, 0))
                    for field, kind, form in EVENTS[name])


class Packet:
    """A sub-buffer: what it has room for, and what stands in it."""

    def __init__(self, number, begin):
        self.number, self.begin, self.end, self.discarded, self.last = number, begin, begin, 0, begin
        self.body, self.rows = bytearray(), []

    def add(self, time, name, payload, row):
        if not self.rows or time - self.last >= 1 << 27:  # the first one has its whole time, too
            self.body += struct.pack("<BIQ", 31, NUMBERS[name], time)
        else:
            self.body += EVENT_HEAD.pack((time & ((1 << 27) - 1)) << 5 | NUMBERS[name])
        self.body += payload
        self.last = time
        self.rows.append(row)

    def bytes(self, cpu, size, times_of_packets):
        head = HEAD.pack(MAGIC, TRACE_UUID.bytes, 0)
        context = struct.pack("<QQ", self.begin, self.end) if times_of_packets else b""
        length = len(head) + len(context) + 4 * 8 + 4
        context += struct.pack("<QQQQI", 8 * (length + len(self.body)), 8 * size, self.number, self.discarded, cpu)
        return (head + context + bytes(self.body)).ljust(size, b"\0")


class Ring:
    """The buffer of one CPU: so many packets of so many bytes."""

    def __init__(self, cpu, overwrite, size, count):
        self.cpu, self.overwrite, self.size, self.count = cpu, overwrite, size, count
        self.now, self.full, self.out, self.discarded, self.number = None, [], [], 0, 0

    def room(self):
        return self.size - HEAD.size - 6 * 8 - 4

    def switch(self, time):
        self.now.end, self.now.discarded = time, self.discarded
        self.full.append(self.now)
        self.now = None

    def add(self, time, name, payload, row):
        """An event. Whether it was recorded (later it may be overwritten)."""
        if self.now and len(self.now.body) + len(payload) + 13 > self.room():
            if len(self.full) + 1 >= self.count:
                if not self.overwrite:
                    self.discarded += 1
                    return
                self.full.pop(0)
            self.switch(time)
        if not self.now:
            self.now = Packet(self.number, time)
            self.number += 1
        self.now.add(time, name, payload, row)

    def consume(self):
        self.out += self.full
        self.full = []


def write_packets(directory, packets, size=1024, times_of_packets=True):
    """Writes the packets of each CPU as a trace."""
    os.makedirs(directory, exist_ok=True)
    for cpu, its in sorted(packets.items()):
        with open(os.path.join(directory, f"channel0_{cpu}"), "wb") as file:
            for packet in its:
                file.write(packet.bytes(cpu, size, times_of_packets))
    with open(os.path.join(directory, "metadata"), "w", encoding="utf-8") as file:
        file.write(metadata(times_of_packets))


def write(directory, rows, rng, overwrite, size=1024, count=4, stall=40, times_of_packets=True, overlap=0):
    """Writes rows (time, name, fields with cpu_id, ...) as a trace. The consumer comes after `stall` events on average. Packets end `overlap` ns later than
    the next one begins, as those of some older tracers do. Returns which of the rows are lost, and how many were discarded."""
    rings = {}
    for number, row in enumerate(rows):
        time, name, fields = row[:3]
        cpu = fields["cpu_id"]
        ring = rings.setdefault(cpu, Ring(cpu, overwrite, size, count))
        ring.add(time, name, packed(name, fields), number)
        if rng.random() < 1 / stall:
            rng.choice(list(rings.values())).consume()
    kept = set()
    for ring in rings.values():
        ring.consume()
        ring.switch(rows[-1][0] + 1)  # what is there is flushed when the tracer stops
        ring.consume()
        for packet in ring.out:
            packet.end += overlap
            kept.update(packet.rows)
    write_packets(directory, {cpu: ring.out for cpu, ring in rings.items()}, size, times_of_packets)
    return [number not in kept for number in range(len(rows))], sum(ring.discarded for ring in rings.values())
