"""Truth for earshot infer: machines with skewed statistics that depend on what came before, traces of them, and losses."""
import random


class Machine:
    """A strongly connected machine; how a state is left depends on the transition by which it was entered, and so does how long that takes."""

    def __init__(self, rng, states, events, ways, skew):
        self.states, self.out = states, [[] for _ in range(states)]
        order = list(range(states))
        rng.shuffle(order)
        edges = {(order[i], order[(i + 1) % states]) for i in range(states)}
        while len(edges) < states * ways:
            source = rng.randrange(states)
            if sum(edge[0] == source for edge in edges) < min(4, events):
                edges.add((source, rng.randrange(states)))
        self.transitions = []  # from, to, event
        for source, target in sorted(edges):
            taken = {self.transitions[t][2] for t in self.out[source]}
            free = [e for e in range(events) if e not in taken]
            self.out[source].append(len(self.transitions))
            self.transitions.append((source, target, rng.choice(free)))
        self.rng, self.skew, self.weights, self.delays = rng, skew, {}, {}

    def weights_of(self, state, before):
        """Weights of the ways out of a state after two transitions: one is favoured, another one by another context."""
        key = state, before
        if key not in self.weights:
            self.weights[key] = [self.rng.random() ** self.skew + 0.01 for _ in self.out[state]]
        return self.weights[key]

    def delay_of(self, before, transition):
        key = before, transition
        if key not in self.delays:
            self.delays[key] = self.rng.uniform(4, 11), self.rng.uniform(0.1, 0.6)
        return self.delays[key]

    def text(self, name, key):
        lines = [f"machine {name}", "  key key" if key else "", "  state " + " ".join(f"s{i}" for i in range(self.states))]
        lines += [f"  s{a} -> s{b} on e{e}" for a, b, e in self.transitions]
        return "\n".join(lines) + "\n"

    def run(self, rng, count):
        """Transitions with their times."""
        state, time, before, last = rng.randrange(self.states), 1000, None, None
        for _ in range(count):
            transition = rng.choices(self.out[state], self.weights_of(state, (before, last)))[0]
            mu, sigma = self.delay_of(last, transition)
            time += max(1, int(rng.lognormvariate(mu, sigma)))
            yield time, transition
            state, before, last = self.transitions[transition][1], last, transition


def trace_of(machine, rng, keys, count):
    """Events of several scenarios, in the order of their times: (time, key, transition), no two at the same time."""
    runs = [list(machine.run(rng, count // keys)) for _ in range(keys)]
    end = min(run[-1][0] for run in runs)
    rows = sorted((time, key, transition) for key, run in enumerate(runs) for time, transition in run if time <= end)
    for i in range(1, len(rows)):
        if rows[i][0] <= rows[i - 1][0]:
            rows[i] = rows[i - 1][0] + 1, rows[i][1], rows[i][2]
    return rows


def lose(rng, rows, how, part):
    """Which events are lost: 'single' ones, 'burst's of 2 to 6, or whole 'stretch'es of 8 to 25, so that about that part is."""
    lost = [False] * len(rows)
    sizes = {"single": (1, 1), "burst": (2, 6), "stretch": (8, 25)}[how]
    wanted, done = int(len(rows) * part), 0
    while done < wanted:
        size, at = rng.randint(*sizes), rng.randrange(50, len(rows) - 50)
        if any(lost[at - 1:at + size + 1]):
            continue
        lost[at:at + size] = [True] * size
        done += size
    return lost


def as_list(events, lost, told=True, counted=True):
    """The list of (time, text of the event) as text, with losses between what was left where they are told."""
    lines, gap, last = [], 0, 0
    for (time, text), gone in zip(events, lost):
        if gone:
            gap += 1
            continue
        if gap and told:
            lines.append(f"lost {last} {time} {gap if counted else 0}")
        gap, last = 0, time
        lines.append(f"{time} {text}")
    return "\n".join(lines) + "\n"


def list_of(rows, transitions, lost, told, key):
    """The same of a generated machine's events."""
    return as_list(((time, f"e{transitions[transition][2]}" + (f" key={scenario}" if key else "")) for time, scenario, transition in rows), lost, told)


def list_of_fields(rows, lost, told=True, counted=True):
    """The same of rows (time, name, fields, [(key, from, to)])."""
    return as_list(((time, f"{name} " + " ".join(f"{key}={value}" for key, value in fields.items())) for time, name, fields, _ in rows),
                   lost, told, counted)


def cut(rows, lost, counted=True, told=True):
    """The trace as a list without what was lost, what of each scenario was lost, and its true states: {(key, time): (before, after)}."""
    before, gone, truth, states = {}, {}, {}, {}
    for (time, _, _, moves), is_lost in zip(rows, lost):
        for key, source, target in moves:
            if is_lost:
                gone.setdefault(key, []).append((time, source, target))
                continue
            if gone.get(key) and key in before:
                truth[key, before[key], time] = gone[key]
            gone[key], before[key] = [], time
            states[key, time] = source, target
    return list_of_fields(rows, lost, told, counted), truth, states


def true_stretches(rows, transitions, lost):
    """Of each scenario the events that were lost between two that were not: {(key, time before, time after): [(time, from, to)]}."""
    stretches, before, gone = {}, {}, {}
    for (time, key, transition), is_lost in zip(rows, lost):
        if is_lost:
            gone.setdefault(key, []).append((time, f"s{transitions[transition][0]}", f"s{transitions[transition][1]}"))
            continue
        if gone.get(key) and key in before:
            stretches[key, before[key], time] = gone[key]
        gone[key], before[key] = [], time
    return stretches


def new_rng(*seed):
    return random.Random(repr(seed))
