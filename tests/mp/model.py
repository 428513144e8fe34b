"""The message-passing library as arithmetic: what docs/marks.md says of its primitives, written down a second time and in another way.

An event is a line of `earshot net record`. `begin` is the clock in which the mark's own first instruction is fetched, `end` that of the instruction
after it; without marks they are one. The constants hold for a bus without wait states and a message latency of 4 or more.
"""
import collections
import heapq
import json

SEND_BEGIN, SEND_END, TAKEN_END, RECV_BEGIN, RECV_END, TEST_BEGIN, TEST_NONE, ANY_BEGIN, ANY_FOUND = 480, 481, 482, 484, 485, 486, 487, 488, 489
ACCESS = 4  # clocks from the fetch of the instruction that accesses the message device to the fetch of the next, without waiting
LEAD = 4    # an access meets a message (or a free slot) that comes this many clocks less the latency after its fetch

Event = collections.namedtuple("Event", "begin end core id value site")
Change = collections.namedtuple("Change", "time core index observed recovered")


def read(text):
    """The events of a trace, by core."""
    cores = collections.defaultdict(list)
    for line in text.splitlines():
        e = json.loads(line)
        cores[e["core"]].append(Event(e["time"] - e["delay"], e["time"], e["core"], e["id"], e["value"], e["site"]))
    return cores


class Slots:
    """When the messages from core to core became visible to their receivers, and the slots to their senders."""

    def __init__(self, latency):
        self.after = latency - LEAD
        self.sent = collections.defaultdict(list)
        self.taken = collections.defaultdict(list)

    def send(self, source, destination, time):
        self.sent[source, destination].append(time + self.after)

    def take(self, source, destination, time):
        self.taken[source, destination].append(time + self.after)

    def waiting(self, destination):
        """Of messages that nobody has taken, [when it is there, its source]."""
        return sorted([self.sent[s, d][len(self.taken[s, d])], s] for s, d in list(self.sent)
                      if d == destination and len(self.taken[s, d]) < len(self.sent[s, d]))


def access_time(slots, event, start):
    """When the access after `event`, whose instruction is fetched at `start`, lets the next instruction be fetched. None: not known yet."""
    mine, theirs = (event.core, event.value), (event.value, event.core)
    if event.id == SEND_END:
        number = len(slots.sent[mine])
        if number == 0:
            return start + ACCESS
        return max(start, slots.taken[mine][number - 1]) + ACCESS if len(slots.taken[mine]) >= number else None
    if event.id == TAKEN_END:
        number = len(slots.sent[mine])
        return max(start, slots.taken[mine][number - 1]) + ACCESS if len(slots.taken[mine]) >= number else None
    if event.id == RECV_END:
        number = len(slots.taken[theirs])
        return max(start, slots.sent[theirs][number]) + ACCESS if len(slots.sent[theirs]) > number else None
    waiting = slots.waiting(event.core)
    return max(start, waiting[0][0]) + ACCESS if waiting else None


def choice(slots, core, time):
    """The core whose message a wait for any finds at `time`, or None."""
    there = [source for since, source in slots.waiting(core) if since <= time]
    return min(there) if there else None


def recover(cores, latency):
    """The times without marks, from the trace of a run with them: ({core: [time, ...]}, first Change or None). A simulation that takes the time
    between two marks of a core from the trace, and waiting from the model."""
    slots = Slots(latency)
    times = {core: [] for core in cores}
    index = {core: 0 for core in cores}

    def candidate(core):
        """(instant that decides, order among equals, time) of the core's next event, or None when it waits or has ended."""
        i = index[core]
        if i == len(cores[core]):
            return None
        event = cores[core][i]
        start = times[core][-1] if i else 0
        if event.id in (SEND_END, TAKEN_END, RECV_END, ANY_FOUND):
            time = access_time(slots, event, start)
            if time is None:
                return None
            return (time - ACCESS, 3, time) if event.id == ANY_FOUND else (time, 1, time)
        time = start + event.begin - (cores[core][i - 1].end if i else 0)
        return (time, 2, time)

    while True:
        ready = [(c, core) for core in cores if (c := candidate(core)) is not None]
        if not ready:
            return times, None
        (instant, _, time), core = min(ready)
        event = cores[core][index[core]]
        if event.id == ANY_FOUND:
            found = choice(slots, core, instant)
            if found != event.value:
                return times, Change(instant, core, index[core], event.value, found)
        if event.id == SEND_END:
            slots.send(core, event.value, time)
        if event.id == RECV_END:
            slots.take(event.value, core, time)
        times[core].append(time)
        index[core] += 1
        if event.id == TEST_BEGIN:
            hit = any(source == event.value and since <= time for since, source in slots.waiting(core))
            observed = cores[core][index[core]].id == RECV_BEGIN
            if hit != observed:
                return times, Change(time, core, index[core], observed, hit)


def misfits(cores, latency):
    """Accesses to the message device whose time in the trace itself is not what the model says. Works on traces with and without marks."""
    slots = Slots(latency)
    index = {core: 0 for core in cores}
    found = []
    order = [(event.begin, event.id != SEND_END, core, i) for core in cores for i, event in enumerate(cores[core])]
    heapq.heapify(order)
    while order:
        _, _, core, i = heapq.heappop(order)
        event = cores[core][i]
        if event.id in (SEND_END, TAKEN_END, RECV_END, ANY_FOUND):
            want = access_time(slots, event, cores[core][i - 1].end)
            if want != event.begin or event.id == ANY_FOUND and choice(slots, core, want - ACCESS) != event.value:
                found.append((event, want))
        if event.id == SEND_END:
            slots.send(core, event.value, event.begin)
        if event.id == RECV_END:
            slots.take(event.value, core, event.begin)
        index[core] += 1
    return found
