// The timeline: all of the time with a window on it, and below that window's axis and lanes.

const LANE = 24, OVERVIEW = 44;

class Timeline {
  constructor(view, root) {
    this.view = view;
    this.model = view.model;
    this.root = root;
    this.lanes = [];
    this.build();
    view.on('window', () => this.draw());
    view.on('selection', () => this.draw());
  }

  build() {
    const {model, root} = this;
    this.overview = this.addRow('Everything', 'overview', OVERVIEW);
    this.axis = this.addRow('', 'axis', 22);
    const lanes = this.laneBox = make('div', {class: 'lanes'});
    root.append(lanes);
    if (model.statements.length) lanes.append(make('div', {class: 'lane-head'}, 'Statements'));
    model.statements.forEach((statement, i) => this.addLane(statement.name, statement, i, `statement:${quotedTerm(statement.name)}`));
    if (model.tasks.length) lanes.append(make('div', {class: 'lane-head'}, 'Tasks'));
    model.tasks.forEach((task, i) => this.addLane(task.name, task, i + model.statements.length, `task:${quotedTerm(task.name)}`));
    this.hover = make('div', {class: 'hover', hidden: true});
    this.tip = make('div', {class: 'tip', hidden: true});
    root.append(this.hover, this.tip);
    listenOverview(this);
    for (const lane of this.lanes) listenLane(this, lane);
    listenWindow(this, this.axis);
    listenKeys(this.view, root);
  }

  addRow(label, name, height, box = this.root) {
    const canvas = make('canvas', {class: name, role: 'img'});
    canvas.style.height = height + 'px';
    box.append(make('div', {class: 'row'}, typeof label === 'string' ? make('span', {class: 'label'}, label) : label, canvas));
    return canvas;
  }

  addLane(name, series, ink, query) {
    const number = make('span', {class: 'count'}, count(series.at.length));
    const label = make('button', {class: 'label', type: 'button', title: `${name}: shows its hits below`, click: () => this.onQuery?.(query)},
      make('span', {class: 'swatch s' + ink % 8}), make('span', {class: 'name'}, name), number);
    const canvas = this.addRow(label, 'lane', LANE, this.laneBox);
    this.lanes.push({name, series, ink, canvas, number});
  }

  draw() {
    const {view, model} = this;
    this.drawOverview();
    drawAxis(this.axis, model, view.from, view.to);
    for (const lane of this.lanes) this.drawLane(lane);
    byId('window').textContent = `${timeText(model.ns(view.from))} to ${timeText(model.ns(view.to))}, ${lengthText(model.ns(view.span), 4)}`;
  }

  drawLane(lane) {
    const {view, model} = this, {g, width, height} = begin(lane.canvas, LANE);
    g.fillStyle = INK.panel;
    g.fillRect(0, 0, width, height);
    drawLosses(g, model, view.from, view.to, width, height);
    const inside = drawHits(g, lane.series.hitTime, {from: view.from, to: view.to, width, height: height - 2, ink: seriesInk(lane.ink)});
    if (inside * 5 < width) this.drawUnsure(g, lane, width, height);
    drawSelection(g, view, width, height);
    lane.number.textContent = count(inside);
    lane.canvas.setAttribute('aria-label', `${lane.name}: ${inside} hits shown`);
  }

  /** Hits that may not have been: a ring over the mark. */
  drawUnsure(g, lane, width, height) {
    const {view, model} = this, {at, hitTime} = lane.series;
    g.strokeStyle = INK.unsure;
    g.lineWidth = 1.5;
    for (let i = lowerBound(hitTime, view.from); i < at.length && hitTime[i] < view.to; i++) {
      if (!(model.flags[at[i]] & UNCERTAIN)) continue;
      g.beginPath();
      g.arc((hitTime[i] - view.from) / view.span * width, height / 2, 4, 0, 7);
      g.stroke();
    }
  }

  drawOverview() {
    const {view, model} = this, {g, width, height} = begin(this.overview, OVERVIEW);
    g.fillStyle = INK.panel;
    g.fillRect(0, 0, width, height);
    drawLosses(g, model, model.begin, model.end, width, height);
    drawHits(g, model.time, {from: model.begin, to: model.end, width, height: height - 4, ink: INK.dim});
    const scale = width / (model.end - model.begin);
    const left = (view.from - model.begin) * scale, right = Math.max((view.to - model.begin) * scale, left + 2);
    g.fillStyle = INK.paper;
    g.globalAlpha = 0.65;
    g.fillRect(0, 0, left, height);
    g.fillRect(right, 0, width - right, height);
    g.globalAlpha = 1;
    g.strokeStyle = INK.mark;
    g.lineWidth = 2;
    g.strokeRect(left + 1, 1, right - left - 2, height - 2);
    this.overview.setAttribute('aria-label', `${model.hits} hits, ${model.losses.length} losses`);
  }

  /** The nearest hit of a lane, when it is within some pixels; or -1. */
  hitAt(lane, x) {
    const {view} = this, {hitTime, at} = lane.series, width = lane.canvas.clientWidth;
    const time = view.from + x / width * view.span, next = lowerBound(hitTime, time);
    const near = [next - 1, next].filter((i) => i >= 0 && i < at.length).sort((a, b) => Math.abs(hitTime[a] - time) - Math.abs(hitTime[b] - time))[0];
    return near !== undefined && Math.abs(hitTime[near] - time) / view.span * width < 8 ? at[near] : -1;
  }

  showTip(lane, event) {
    const {model, root} = this, box = root.getBoundingClientRect(), hit = this.hitAt(lane, event.offsetX);
    this.hover.hidden = false;
    this.hover.style.left = event.clientX - box.left + 'px';
    this.tip.hidden = hit < 0;
    if (hit < 0) return;
    this.tip.textContent = `${timeText(model.ns(model.time[hit]))}  ${valuesText(model, hit)}`;
    this.tip.style.left = Math.max(0, Math.min(event.clientX - box.left + 12, box.width - this.tip.offsetWidth - 4)) + 'px';
    this.tip.style.top = event.clientY - box.top + 18 + 'px';
  }

  hideTip() { this.hover.hidden = this.tip.hidden = true; }
}
