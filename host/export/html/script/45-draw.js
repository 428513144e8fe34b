// What the drawings on canvases have in common.

const INK = {};

/** Colours as the style sheet says them: of the light or the dark page. */
function readInk() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['ink', 'dim', 'line', 'paper', 'panel', 'loss', 'mark', 'unsure']) INK[name] = style.getPropertyValue('--' + name).trim();
  INK.series = Array.from({length: 8}, (_, i) => style.getPropertyValue('--c' + i).trim());
}

const seriesInk = (i) => INK.series[i % INK.series.length];

/** A canvas that is as sharp as the screen; gives its context and size, cleared. */
function begin(canvas, height) {
  const width = Math.max(1, Math.floor(canvas.clientWidth)), ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const g = canvas.getContext('2d');
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  return {g, width, height};
}

let hatchCache = null;

function hatch(g) {
  if (hatchCache?.ink === INK.loss) return hatchCache.pattern;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const t = tile.getContext('2d');
  t.strokeStyle = INK.loss;
  t.lineWidth = 1.6;
  t.beginPath();
  for (const x of [-8, 0, 8]) {
    t.moveTo(x - 1, 9);
    t.lineTo(x + 9, -1);
  }
  t.stroke();
  hatchCache = {ink: INK.loss, pattern: g.createPattern(tile, 'repeat')};
  return hatchCache.pattern;
}

/** Bands where something was lost, at least two pixels wide. */
function drawLosses(g, model, from, to, width, height) {
  const scale = width / (to - from);
  let drawn = -Infinity;
  for (const loss of model.losses) {
    if (loss.from > to) break;
    const end = loss.until;
    if (end < from) continue;
    const left = Math.max(0, Math.floor((loss.from - from) * scale));
    const right = Math.min(width, Math.max(left + 2, Math.ceil((end - from) * scale)));
    if (right <= drawn) continue;
    const start = Math.max(left, drawn);
    g.globalAlpha = 0.14;
    g.fillStyle = INK.loss;
    g.fillRect(start, 0, right - start, height);
    g.globalAlpha = 0.75;
    g.fillStyle = right - start < 4 ? INK.loss : hatch(g);
    g.fillRect(start, 0, right - start, height);
    g.globalAlpha = 1;
    drawn = right;
  }
}

/** How many of the times fall into each of `columns` equal parts of from..to. */
function countColumns(times, from, to, columns) {
  const counts = new Uint32Array(columns), step = (to - from) / columns;
  let at = lowerBound(times, from);
  const end = lowerBound(times, to, at);
  if (end - at < columns * 8) {
    for (; at < end; at++) counts[Math.min(columns - 1, Math.floor((times[at] - from) / step))]++;
    return counts;
  }
  for (let i = 0; i < columns; i++) {
    const next = i === columns - 1 ? end : lowerBound(times, from + (i + 1) * step, at, end);
    counts[i] = next - at;
    at = next;
  }
  return counts;
}

/** Hits as marks where there is room for each, as shades where there is not. */
function drawHits(g, times, {from, to, width, height, ink}) {
  const columns = Math.max(1, Math.floor(width)), counts = countColumns(times, from, to, columns);
  let highest = 1, inside = 0;
  for (const value of counts) {
    if (value > highest) highest = value;
    inside += value;
  }
  const single = inside * 5 < columns;
  g.fillStyle = ink;
  for (let x = 0; x < columns; x++) {
    if (!counts[x]) continue;
    const share = Math.sqrt(counts[x] / highest);
    const bar = single ? height : Math.max(3, height * (0.3 + 0.7 * share));
    g.globalAlpha = single ? 1 : 0.3 + 0.7 * share;
    g.fillRect(single ? x - 0.5 : x, height - bar, single ? 2 : 1, bar);
  }
  g.globalAlpha = 1;
  return inside;
}

/** Steps of 1, 2 or 5 times a power of ten, about `wanted` of them. */
function niceStep(span, wanted) {
  const raw = span / wanted, power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5].find((step) => step * power >= raw * 0.999) ?? 10);
}

/** A length of time from the beginning of its span: all labels of an axis in one unit. */
function axisText(ns, step, span) {
  const [scale, unit] = span < 1e3 ? [1, 'ns'] : span < 1e6 ? [1e3, '\u00b5s'] : span < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / scale) + 1e-9)));
  return (ns / scale).toFixed(digits) + '\u00a0' + unit;
}

function drawAxis(canvas, model, from, to) {
  const {g, width, height} = begin(canvas, 22);
  const start = model.ns(from), span = model.ns(to - from), step = niceStep(span, Math.max(2, width / 120));
  g.font = '11px system-ui, sans-serif';
  g.fillStyle = INK.dim;
  g.strokeStyle = INK.line;
  g.textBaseline = 'middle';
  g.beginPath();
  for (let ns = Math.ceil(start / step) * step; ns <= start + span; ns += step) {
    const x = Math.round((ns - start) / span * width) + 0.5, text = axisText(ns, step, Math.max(start + span, step));
    g.moveTo(x, 0);
    g.lineTo(x, 5);
    const half = g.measureText(text).width / 2;
    g.fillText(text, Math.min(Math.max(x - half, 0), width - 2 * half), height / 2 + 3);
  }
  g.stroke();
}

/** A vertical line where the selected hit is. */
function drawSelection(g, view, width, height) {
  if (view.selected < 0) return;
  const x = (view.model.time[view.selected] - view.from) / view.span * width;
  if (x < -1 || x > width + 1) return;
  g.fillStyle = INK.mark;
  g.fillRect(Math.round(x) - 1, 0, 2, height);
}
