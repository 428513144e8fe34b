// The distribution of one thing, as a histogram and in figures.

class Distribution {
  constructor(view) {
    this.view = view;
    this.model = view.model;
    this.things = measurables(this.model);
    this.select = byId('spread-field');
    this.all = byId('spread-all');
    this.powers = byId('spread-log');
    let group = null;
    this.things.forEach((thing, i) => {
      if (group?.label !== thing.statement.name) this.select.append(group = make('optgroup', {label: thing.statement.name}));
      group.append(make('option', {value: i}, thing.name));
    });
    this.select.value = this.firstChoice();
    for (const control of [this.select, this.all, this.powers]) control.addEventListener('change', () => this.draw());
    view.on('window', later(120, () => { if (!this.all.checked) this.draw(); }));
  }

  /** A length of time that was printed; or the time between the hits of which there are most. */
  firstChoice() {
    const most = this.model.statements.reduce((a, b) => b.hits > (a?.hits ?? -1) ? b : a, null);
    const printed = this.things.findIndex((thing) => thing.field?.kind === 'time' && thing.statement.hits);
    const valued = this.things.findIndex((thing) => thing.statement === most && thing.field);
    return printed >= 0 ? printed : valued >= 0 ? valued : this.things.findIndex((thing) => thing.statement === most);
  }

  rows({statement}) {
    if (this.all.checked || this.view.isAll) return {from: 0, to: statement.hits};
    return {from: lowerBound(statement.hitTime, this.view.from), to: lowerBound(statement.hitTime, this.view.to)};
  }

  text(thing, value) {
    if (Number.isNaN(value) || value === undefined) return '';
    if (thing.isTime) return lengthText(this.model.ns(value), 6);
    return thing.field && Number.isInteger(value) && !thing.field.wide ? numberText(this.model, thing.field, value) : number(value);
  }

  parts(thing, sorted) {
    const kind = thing.field?.kind, named = ['enum', 'bool', 'char', 'pointer'].includes(kind);
    if (named && !this.powers.checked) return nameParts(sorted, (value) => numberText(this.model, thing.field, value));
    const finite = sorted.filter(Number.isFinite);
    if (!finite.length) return [];
    if (this.powers.checked) return powerParts(thing.isTime ? finite.map((value) => Math.round(this.model.ns(value))).sort() : finite);
    return linearParts(finite, kind === 'int' || thing.isTime);
  }

  partText(thing, part) {
    if (part.text !== undefined) return part.text;
    const text = (value) => part.power && thing.isTime ? lengthText(value, 6) : thing.isTime ? this.text(thing, value) : number(value);
    const whole = thing.field?.kind === 'int';
    if (part.from === part.to || (whole && part.to - part.from === 1)) return text(part.from);
    return whole ? `${text(part.from)} to ${text(part.to - 1)}` : `${text(part.from)} to under ${text(part.to)}`;
  }

  draw() {
    const thing = this.things[this.select.value], box = byId('histogram');
    if (!thing) {
      box.replaceChildren(make('p', {class: 'hint'}, 'There are no statements.'));
      return;
    }
    const {values, unknown, across} = thing.take(this.rows(thing));
    const figures = summarise(values), parts = values.length ? this.parts(thing, figures.sorted) : [];
    const highest = Math.max(1, ...parts.map((part) => part.count)), named = parts[0]?.text !== undefined;
    if (!parts.length) box.replaceChildren(make('p', {class: 'hint'}, 'No values here.'));
    else box.replaceChildren(make('div', {class: 'bars ' + (named ? 'named' : 'steps')}, ...parts.map((part, i) => this.bar(thing, part, highest, parts.length))),
      ...(named ? [] : [this.scale(thing, parts)]));
    this.drawFigures(thing, figures, values.length, unknown, across);
  }

  bar(thing, part, highest, all) {
    const text = this.partText(thing, part), item = make('div', {class: 'part', role: 'img', 'aria-label': `${text}: ${part.count}`, title: `${text}: ${count(part.count)}`, 'data-count': part.count},
      make('span', {class: 'value'}, text), make('div', {class: 'bar'}),
      make('span', {class: 'many'}, part.count && (all <= 24 || part.count === highest) ? count(part.count) : ''));
    item.style.setProperty('--share', part.count / highest);
    return item;
  }

  /** Some of the parts' bounds, below them. */
  scale(thing, parts) {
    const every = Math.ceil(parts.length / 6), box = make('div', {class: 'scale', 'aria-hidden': 'true'});
    parts.forEach((part, i) => {
      if (i % every) return;
      const label = make('span', {}, part.power && thing.isTime ? lengthText(part.from, 4) : thing.isTime ? lengthText(this.model.ns(part.from), 4) : number(part.from));
      label.style.left = i / parts.length * 100 + '%';
      box.append(label);
    });
    return box;
  }

  drawFigures(thing, {least, greatest, mean, percentiles}, known, unknown, across) {
    const heads = ['values', 'least', ...percentiles.map(([percent]) => percent + ' %'), 'greatest', 'mean'];
    const row = [known, this.text(thing, least), ...percentiles.map(([, value]) => this.text(thing, value)), this.text(thing, greatest),
      thing.isTime ? lengthText(this.model.ns(mean), 6) : Number.isNaN(mean) ? '' : number(mean)];
    const box = byId('percentiles');
    box.replaceChildren(makeTable(`${thing.statement.name}: ${thing.name}`, heads, known ? [row] : []));
    const notes = [];
    if (unknown) notes.push(`${count(unknown)} values are not known and not counted.`);
    if (across) notes.push(`${count(across)} intervals are left out: something was lost in them.`);
    if (thing.field?.wide) notes.push('Some values are beyond 2^52: figures of them are rounded.');
    if (notes.length) box.append(make('p', {class: 'hint'}, notes.join(' ')));
  }
}
