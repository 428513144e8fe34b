"""What other people's readers read of exports, as JSON; run by the Python of build/venv. usage: readers.py vcd|perfetto FILE"""
import json
import sys


def vcd(path):
    """{signal: [[time, value]]}, as vcdvcd has it, which keeps no texts."""
    from vcdvcd import VCDVCD  # pylint: disable=import-outside-toplevel
    read = VCDVCD(path)
    return {"unit": str(read.timescale["timescale"]), "signals": {name: read[name].tv for name in read.signals}}


def perfetto(path):
    """Tracks and events, as Perfetto's own definitions of its format have them; all of the file is known to them."""
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as format_of  # pylint: disable=import-outside-toplevel
    trace = format_of.Trace()
    with open(path, "rb") as file:
        data = file.read()
    trace.ParseFromString(data)
    tracks, events = {}, []
    unknown = len(trace.SerializeToString()) - len(data)
    trace.DiscardUnknownFields()
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            about = packet.track_descriptor
            tracks[about.uuid] = about.thread.thread_name if about.HasField("thread") else about.name
        elif packet.HasField("track_event"):
            event = packet.track_event
            value = event.double_counter_value if event.HasField("double_counter_value") else event.counter_value
            events.append([packet.timestamp, event.type, event.track_uuid, event.name, list(event.categories), value])
    return {"unknown": unknown or len(trace.SerializeToString()) - len(data), "tracks": tracks, "events": events}


if __name__ == "__main__":
    json.dump({"vcd": vcd, "perfetto": perfetto}[sys.argv[1]](sys.argv[2]), sys.stdout)
