// Distributions: what is counted, percentiles, and the parts of a histogram.

/** What has a distribution: fields that are numbers or names, and lengths of time between hits and of the probe's work. */
function measurables(model) {
  const found = [];
  for (const statement of model.statements) {
    const timesOf = (column) => ({from, to}) => {
      const out = [];
      for (let row = from; row < to; row++) if (model.flags[statement.at[row]] & HAS_TIMES) out.push(model[column][statement.at[row]]);
      return {values: Float64Array.from(out), unknown: to - from - out.length};
    };
    for (const field of statement.fields) {
      if (field.kind === 'text' || field.kind === 'byte') continue;
      found.push({statement, field, name: field.name, isTime: field.kind === 'time', take: (rows) => fieldValues(model, field, rows)});
    }
    found.push({statement, name: 'time between hits', isTime: true, take: (rows) => intervals(model, statement, rows)});
    if (model.schema.times) {
      found.push({statement, name: 'until the probe recognised it', isTime: true, take: timesOf('recognition')});
      found.push({statement, name: 'until its actions were done', isTime: true, take: timesOf('action_end')});
    }
  }
  return found;
}

function fieldValues(model, field, {from, to}) {
  const values = new Float64Array(to - from);
  let length = 0;
  for (let row = from; row < to; row++) if (model.isKnown(field, row)) values[length++] = Number(field.column[row]);
  return {values: values.subarray(0, length), unknown: to - from - length};
}

/** Between one hit and the next; not where something was lost between them: there may have been others. */
function intervals(model, statement, {from, to}) {
  const values = [];
  let loss = 0, across = 0;
  for (let row = from + 1; row < to; row++) {
    const start = statement.hitTime[row - 1], end = statement.hitTime[row];
    while (loss < model.losses.length && model.losses[loss].until < start) loss++;
    if (loss < model.losses.length && model.losses[loss].from <= end) across++;
    else values.push(end - start);
  }
  return {values: Float64Array.from(values), unknown: 0, across};
}

/** Nearest rank: the least value that so many percent are not above. */
function percentile(sorted, percent) {
  return sorted[Math.max(0, Math.ceil(sorted.length * percent / 100 - 1e-9) - 1)];
}

const PERCENTS = [50, 90, 95, 99, 99.9];

function summarise(values) {
  const sorted = Float64Array.from(values).sort();
  let finite = 0, sum = 0;
  for (const value of sorted) if (Number.isFinite(value)) { sum += value; finite++; }
  return {sorted, least: sorted[0], greatest: sorted[sorted.length - 1], mean: finite ? sum / finite : NaN,
    percentiles: PERCENTS.map((percent) => [percent, percentile(sorted, percent)])};
}

/** Parts [from, to) with how many values are in each; `whole`: values are integers. */
function linearParts(sorted, whole, wanted = 48) {
  const least = sorted[0], greatest = sorted[sorted.length - 1], span = greatest - least;
  let step = span > 0 ? niceStep(span, wanted) : 1;
  if (whole) step = Math.max(1, Math.round(step));
  const first = Math.floor(least / step) * step, parts = [];
  for (let i = 0, at = 0; at < sorted.length; i++) {
    const from = first + i * step, to = first + (i + 1) * step, next = i > 1000 ? sorted.length : lowerBound(sorted, to, at);
    parts.push({from, to, count: next - at});
    at = next;
  }
  return parts;
}

/** 0, 1, 2 to 3, 4 to 7 ...; the same below 0. */
function powerParts(sorted) {
  const keyOf = (value) => value === 0 ? 0 : Math.sign(value) * (Math.abs(value) < 1 ? 0.5 : Math.floor(Math.log2(Math.abs(value))) + 1);
  const counts = new Map();
  for (const value of sorted) counts.set(keyOf(value), (counts.get(keyOf(value)) || 0) + 1);
  const bounds = (key) => key === 0 ? [0, 0] : Math.abs(key) < 1 ? [0, 1] : [2 ** (Math.abs(key) - 1), 2 ** Math.abs(key)];
  const keys = [...counts.keys()].sort((a, b) => a - b), parts = [];
  const add = (key) => {
    const [low, high] = bounds(key);
    parts.push({from: key < 0 ? -high : low, to: key < 0 ? -low : high, count: counts.get(key) || 0, power: true});
  };
  for (let i = 0; i < keys.length; i++) {
    for (let key = i ? Math.floor(keys[i - 1]) + 1 : keys[0]; key < keys[i]; key++) if (Number.isInteger(key) && key !== 0) add(key);
    add(keys[i]);
  }
  return parts;
}

/** One part for each value, the most frequent ones first where there are many. */
function nameParts(sorted, textOf, most = 24) {
  const counts = new Map();
  for (const value of sorted) counts.set(value, (counts.get(value) || 0) + 1);
  const all = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const parts = all.slice(0, most).sort((a, b) => a[0] - b[0]).map(([value, many]) => ({text: textOf(value), count: many}));
  const rest = all.slice(most).reduce((sum, [, many]) => sum + many, 0);
  return rest ? [...parts, {text: `${all.length - most} others`, count: rest}] : parts;
}
