// The part of time that all drawings show, and the hit that is selected.

class View {
  constructor(model) {
    this.model = model;
    this.from = model.begin;
    this.to = model.end;
    this.selected = -1;
    this.listeners = {window: [], selection: []};
    this.pending = new Set();
  }

  on(what, listener) { this.listeners[what].push(listener); }

  /** Listeners are called once before the next picture, however often it changes. */
  changed(what) {
    if (!this.pending.size) requestAnimationFrame(() => this.tell());
    this.pending.add(what);
  }

  tell() {
    const what = [...this.pending];
    this.pending.clear();
    for (const name of what) for (const listener of this.listeners[name]) listener();
  }

  get span() { return this.to - this.from; }
  get isAll() { return this.from <= this.model.begin && this.to >= this.model.end; }

  set(from, to) {
    const {begin, end} = this.model, most = end - begin;
    const span = Math.min(Math.max(to - from, Math.min(16, most)), most);
    const start = Math.min(Math.max(from + (to - from - span) / 2, begin), end - span);
    if (start === this.from && start + span === this.to) return;
    this.from = start;
    this.to = start + span;
    this.changed('window');
  }

  all() { this.set(this.model.begin, this.model.end); }

  zoom(factor, around = (this.from + this.to) / 2) {
    this.set(around - (around - this.from) / factor, around + (this.to - around) / factor);
  }

  move(part) { this.set(this.from + part * this.span, this.to + part * this.span); }

  select(hit, follow = true) {
    this.selected = hit;
    const time = this.model.time[hit];
    if (follow && hit >= 0 && (time < this.from || time > this.to)) this.set(time - this.span / 2, time + this.span / 2);
    this.changed('selection');
  }
}
