// Values over the time that the timeline shows: numbers as steps, names as bands.

const PLOT = 76, BAND = 30, PLOTS_FIRST = 12;
const isBands = (field) => ['enum', 'bool', 'char', 'pointer', 'text'].includes(field.kind);

class Plots {
  constructor(view, root, select) {
    this.view = view;
    this.model = view.model;
    this.root = root;
    this.lossTimes = Float64Array.from(this.model.losses, (loss) => loss.from);
    const usable = this.model.statements.filter((statement) => statement.fields.length);
    for (const statement of usable) select.append(make('option', {value: statement.number}, statement.name));
    const first = usable.find((statement) => statement.hits) ?? usable[0];
    select.value = first?.number ?? '';
    select.addEventListener('change', () => this.show(this.model.statements[select.value]));
    this.show(first);
    view.on('window', () => this.draw());
    view.on('selection', () => this.draw());
  }

  show(statement, all = false) {
    this.plots = [];
    this.root.replaceChildren();
    if (!statement) {
      this.root.append(make('p', {class: 'hint'}, 'No statement prints a value.'));
      return;
    }
    const fields = all ? statement.fields : statement.fields.slice(0, PLOTS_FIRST);
    for (const field of fields) this.add(statement, field);
    const rest = statement.fields.length - fields.length;
    if (rest > 0) this.root.append(make('button', {type: 'button', click: () => { this.show(statement, true); this.draw(); }}, `${rest} more values`));
    this.draw();
  }

  add(statement, field) {
    const canvas = make('canvas', {role: 'img'}), range = make('span', {class: 'range'});
    canvas.style.height = (isBands(field) ? BAND : PLOT) + 'px';
    const label = make('div', {class: 'label'}, make('span', {class: 'name', title: field.name}, field.name), range);
    this.root.append(make('div', {class: 'row'}, label, canvas));
    listenWindow({view: this.view}, canvas, (x) => {
      const time = this.view.from + x / canvas.clientWidth * this.view.span;
      const row = lowerBound(statement.hitTime, time + 1e-9) - 1;
      if (row >= 0) this.view.select(statement.at[row]);
    });
    this.plots.push({statement, field, canvas, range});
  }

  draw() {
    for (const plot of this.plots) {
      const {g, width, height} = begin(plot.canvas, isBands(plot.field) ? BAND : PLOT);
      g.fillStyle = INK.panel;
      g.fillRect(0, 0, width, height);
      if (isBands(plot.field)) this.drawBands(g, plot, width, height);
      else this.drawSteps(g, plot, width, height);
      drawLosses(g, this.model, this.view.from, this.view.to, width, height);
      drawSelection(g, this.view, width, height);
    }
  }

  /** First and last row that matter: the one before the window holds on into it. */
  rows(statement) {
    const first = Math.max(0, lowerBound(statement.hitTime, this.view.from) - 1);
    return [first, lowerBound(statement.hitTime, this.view.to)];
  }

  drawSteps(g, plot, width, height) {
    const {statement, field} = plot, {model, view} = this, [first, end] = this.rows(statement);
    const {numbers} = field;
    let low = Infinity, high = -Infinity;
    for (let row = first; row < end; row++) {
      const value = numbers[row];
      if (value < low) low = value;
      if (value > high && value < Infinity) high = value;
    }
    if (!(low <= high)) {
      plot.range.textContent = 'no known value here';
      return;
    }
    plot.range.textContent = low === high ? numberText(model, field, low) : `${numberText(model, field, low)} to ${numberText(model, field, high)}`;
    plot.canvas.setAttribute('aria-label', `${field.name}: ${plot.range.textContent}`);
    const span = high - low || 1, y = (value) => height - 6 - (value - low) / span * (height - 12) - (high === low ? (height - 12) / 2 : 0);
    const x = (time) => (time - view.from) / view.span * width;
    g.strokeStyle = seriesInk(statement.number);
    g.lineWidth = 1.5;
    g.lineJoin = 'round';
    g.stroke(this.stepPath(statement, field, first, end, x, y));
    if ((end - first) * 8 > width) return;
    g.fillStyle = g.strokeStyle;
    for (let row = first; row < end; row++) {
      const value = numbers[row];
      if (Number.isFinite(value)) g.fillRect(x(statement.hitTime[row]) - 2, y(value) - 2, 4, 4);
    }
  }

  /** A value holds until the next hit, or until something was lost. Of several in one pixel the range is drawn. */
  stepPath(statement, field, first, end, x, y) {
    const path = new Path2D(), {model, view} = this, times = statement.hitTime, {numbers} = field, {losses} = model;
    let loss = lowerBound(this.lossTimes, times[first] ?? 0), nextLoss = losses[loss]?.from ?? Infinity, pen = false, column = NaN, low = 0, high = 0, last = 0;
    const flush = () => {
      if (!pen || Number.isNaN(column)) return;
      path.lineTo(column, low);
      path.lineTo(column, high);
      path.lineTo(column, last);
      column = NaN;
    };
    for (let row = first; row < end; row++) {
      while (nextLoss < times[row]) {
        flush();
        if (pen) path.lineTo(x(nextLoss), last);
        pen = false;
        nextLoss = losses[++loss]?.from ?? Infinity;
      }
      const value = numbers[row], at = Math.round(x(times[row]) * 2) / 2, level = y(value);
      if (!Number.isFinite(value)) {
        flush();
        if (pen) path.lineTo(at, last);
        pen = false;
        continue;
      }
      if (pen && at === column) {
        low = Math.min(low, level);
        high = Math.max(high, level);
        last = level;
        continue;
      }
      flush();
      if (pen) path.lineTo(at, last);
      else path.moveTo(at, level);
      pen = true;
      column = at;
      low = high = last = level;
    }
    flush();
    if (pen) path.lineTo(x(Math.min(view.to, nextLoss, model.end)), last);
    return path;
  }

  /** What a row has in a field of names: a key that is the same for the same value; null: not known. */
  keyOf(field, row) { return this.model.isKnown(field, row) ? field.column[row] : null; }

  drawBands(g, plot, width, height) {
    const {statement, field} = plot, {view} = this, [first, end] = this.rows(statement), times = statement.hitTime;
    const x = (time) => Math.max(0, (time - view.from) / view.span * width);
    let row = first, shown = new Set();
    while (row < end) {
      const left = x(times[row]);
      const nextPixel = view.from + (Math.floor(left) + 1) / width * view.span;
      let next = row + 1;
      if (next < end && times[next] < nextPixel) next = Math.max(next, lowerBound(times, nextPixel, next, end));
      if (next > row + 1) this.drawMixed(g, field, row, next, Math.floor(left), height);
      const key = this.keyOf(field, next - 1);
      while (next < end && this.keyOf(field, next) === key && !this.isLossBetween(times[next - 1], times[next])) next++;
      let stop = next < end ? times[next] : Math.min(view.to, this.model.end);
      stop = Math.min(stop, this.nextLoss(times[next - 1]));
      const from = next > row + 1 && x(times[next - 1]) - left < 1 ? Math.floor(left) + 1 : left;
      if (key !== null) this.drawBand(g, field, next - 1, from, x(stop), height);
      shown.add(key);
      row = next;
    }
    plot.range.textContent = shown.size === 1 && !shown.has(null) ? '' : `${shown.size} values`;
    plot.canvas.setAttribute('aria-label', `${field.name}: ${shown.size} different values`);
  }

  nextLoss(time) {
    return this.lossTimes[lowerBound(this.lossTimes, time)] ?? Infinity;
  }

  isLossBetween(from, to) { return this.nextLoss(from) < to; }

  inkOf(field, row) {
    const key = field.column[row];
    field.inks ??= new Map();
    if (!field.inks.has(key)) field.inks.set(key, field.inks.size);
    return seriesInk(field.inks.get(key));
  }

  drawBand(g, field, row, left, right, height) {
    g.fillStyle = this.inkOf(field, row);
    g.globalAlpha = 0.35;
    g.fillRect(left, 4, Math.max(right - left, 1), height - 8);
    g.globalAlpha = 1;
    g.fillRect(left, 4, Math.min(2, Math.max(right - left, 1)), height - 8);
    const text = valueText(this.model, field, row);
    g.font = '12px system-ui, sans-serif';
    g.textBaseline = 'middle';
    if (right - left < 24 || g.measureText(text).width > right - left - 10) return;
    g.fillStyle = INK.ink;
    g.fillText(text, left + 6, height / 2 + 1);
  }

  /** Several values in one pixel: each with its share of the height. */
  drawMixed(g, field, first, end, left, height) {
    const shares = new Map(), step = Math.max(1, Math.floor((end - first) / 64));
    let total = 0;
    for (let row = first; row < end; row += step, total++) {
      const ink = this.model.isKnown(field, row) ? this.inkOf(field, row) : INK.line;
      shares.set(ink, (shares.get(ink) || 0) + 1);
    }
    let top = 4;
    g.globalAlpha = 0.6;
    for (const [ink, share] of shares) {
      g.fillStyle = ink;
      g.fillRect(left, top, 1, share / total * (height - 8));
      top += share / total * (height - 8);
    }
    g.globalAlpha = 1;
  }
}
