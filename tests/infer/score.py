"""Runs earshot infer on traces with losses and compares what it says with what was lost."""
import json
import os
import subprocess
import tempfile

EARSHOT = os.path.join(os.environ.get("EARSHOT_BUILD", "build"), "earshot")


class Written:
    """A file that is there for a while."""

    def __init__(self, text):
        self.text = text

    def __enter__(self):
        with tempfile.NamedTemporaryFile("w", delete=False, encoding="utf-8") as file:
            file.write(self.text)
        self.path = file.name
        return self.path

    def __exit__(self, *_):
        os.unlink(self.path)


class Score:
    """What one method got right."""

    def __init__(self):
        self.stretches = self.exact = self.lost = self.right = self.inferred = self.within = self.timed = 0
        self.off = []        # of times, in ns
        self.said = []       # (probability, was it so)

    def add(self, other):
        for name in ("stretches", "exact", "lost", "right", "inferred", "within", "timed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.off += other.off
        self.said += other.said

    def percent(self):
        return 100 * self.exact / max(1, self.stretches)


def line(name, joint, paper):
    def median(values):
        return 100 * sorted(values)[len(values) // 2] if values else 0
    return (f"| {name} | {joint.stretches} | {joint.percent():.0f} | {paper.percent():.0f} | {100 * joint.right / joint.lost:.0f} | "
            f"{100 * paper.right / paper.lost:.0f} | {median(joint.off):.0f} | {median(paper.off):.0f} | {100 * joint.within / max(1, joint.timed):.0f} |")


def infer(trace, machine, *options):
    done = subprocess.run([EARSHOT, "infer", trace, "--machine", machine, "--json", "-a", "16", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def common(left, right):
    """The length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for a in left:
        before = 0
        for i, b in enumerate(right):
            before, row[i + 1] = row[i + 1], before + 1 if a == b else max(row[i + 1], row[i])
    return row[-1]


def parts_of(result, alternative):
    """What an alternative says was lost between each two observed events: {(before, after): [events]}."""
    parts, before, lost = {}, result["begin"], []
    for event in alternative["events"]:
        if event["type"] == "inferred":
            lost.append(event)
        else:
            parts[before, event["time"]] = lost
            before, lost = event["time"], []
    return parts


def score(results, truth):
    """Stretches in which nothing was said count as wrong: for both methods the same ones are asked for."""
    s, open_truth = Score(), dict(truth)
    s.stretches, s.lost = len(truth), sum(map(len, truth.values()))
    for result in results:
        if result["type"] != "stretch" or not result["alternatives"]:
            continue
        key = result["key"]
        said = [parts_of(result, a) for a in result["alternatives"]]
        really = {place: truth.get((key, *place), []) for place in said[0]}
        right = [all([(e["from"], e["to"]) for e in events] == [t[1:] for t in really[place]] for place, events in parts.items()) for parts in said]
        for a, is_right in zip(result["alternatives"], right):
            if a["probability"] is not None:
                s.said.append((a["probability"], is_right))
        for place, events in said[0].items():
            wanted = open_truth.pop((key, *place), [])
            names = [(e["from"], e["to"]) for e in events]
            s.inferred += len(names)
            s.right += common(names, [t[1:] for t in wanted])
            if wanted and names == [t[1:] for t in wanted]:
                s.exact += 1
                for event, (time, _, _) in zip(events, wanted):
                    s.off.append(abs(event["time"] - time) / (place[1] - place[0]))
                    s.timed += 1
                    s.within += event["low"] <= time <= event["high"]
    return s


def run(machine, trace, truth, *options):
    """The score of both methods on the same trace: joint, paper; and the summaries."""
    with tempfile.TemporaryDirectory() as scratch:
        paths = [os.path.join(scratch, name) for name in ("machine", "trace")]
        for path, text in zip(paths, (machine, trace)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        scores = []
        for method in "joint", "paper":
            scores.append(score(infer(paths[1], paths[0], "--method", method, *options), truth))
        return scores
