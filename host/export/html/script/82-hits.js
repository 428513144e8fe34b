// The table of hits: searched, sorted, and the one that is selected with all that is known of it.

const FIELD_COLUMNS = 8;

class Hits {
  constructor(view) {
    this.view = view;
    this.model = view.model;
    this.query = new Query(this.model);
    this.sort = {column: 'time', down: false};
    this.rows = new Rows(byId('table'), 'hits');
    this.rows.onRow = (hit) => view.select(hit);
    this.rows.onSort = (column) => this.sortBy(column);
    this.search = byId('search');
    this.inWindow = byId('hits-window');
    this.search.addEventListener('input', later(180, () => this.find()));
    this.inWindow.addEventListener('change', () => this.find());
    view.on('window', later(150, () => { if (this.inWindow.checked) this.find(); }));
    view.on('selection', () => this.showSelected());
    this.find();
  }

  ask(query) {
    this.search.value = query;
    this.find();
    byId('hits').scrollIntoView({block: 'nearest'});
  }

  find() {
    const {view, model} = this, trouble = byId('search-trouble');
    trouble.hidden = true;
    try {
      this.found = this.inWindow.checked ? this.query.run(this.search.value, view.from, view.to) : this.query.run(this.search.value);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      trouble.textContent = error.message;
      trouble.hidden = false;
      this.found = new Uint32Array(0);
    }
    byId('found').textContent = this.found.length === model.hits ? `${count(model.hits)} hits` : `${count(this.found.length)} of ${count(model.hits)} hits`;
    this.setColumns();
    this.arrange();
  }

  /** The statement of all that was found, when it is one: its values get columns of their own. */
  common() {
    const {model, found} = this, first = found.length ? model.statement[found[0]] : -1;
    return first >= 0 && found.every((hit) => model.statement[hit] === first) ? model.statements[first] : null;
  }

  setColumns() {
    const {model} = this, statement = this.common();
    const fields = statement ? statement.fields.slice(0, statement.values).filter((field) => !field.aggregated) : [];
    const columns = [{name: 'time', width: '9.5em', number: true, sort: (hit) => model.time[hit], text: (hit) => timeText(model.ns(model.time[hit]))}];
    if (!statement) columns.push({name: 'statement', width: 'minmax(6em, 1fr)', sort: (hit) => model.statement[hit], text: (hit) => model.statements[model.statement[hit]].name});
    if (statement && !statement.objects.length && fields.length <= FIELD_COLUMNS)
      for (const field of fields) columns.push(this.fieldColumn(field));
    else columns.push({name: 'values', width: 'minmax(10em, 3fr)', text: (hit) => valuesText(model, hit)});
    if (model.tasks.length) columns.push({name: 'task', width: 'minmax(5em, 1fr)', sort: (hit) => model.task[hit], text: (hit) => model.flags[hit] & TIMED ? '' : model.taskName(hit)});
    columns.push({name: 'path', width: 'minmax(8em, 2fr)', sort: (hit) => model.path[hit], text: (hit) => {
      const inferred = inferredText(model, hit);
      return inferred ? `~ ${inferred}` : pathText(model, hit);
    }, mark: (hit) => inferredText(model, hit) ? 'inferred' : ''});
    columns.push({name: 'place', width: 'minmax(7em, 1fr)', sort: (hit) => model.file[hit] * 1e7 + model.line[hit], text: (hit) => placeText(model, hit)});
    columns.push({name: '', width: '6em', text: (hit) => model.flags[hit] & UNCERTAIN ? 'uncertain' : '', mark: () => 'unsure'});
    const same = columns.map((column) => column.name).join('\n');
    if (!columns.some((column) => column.name === this.sort.column)) this.sort = {column: 'time', down: false};
    if (same !== this.same) this.rows.setColumns(columns, this.sort);
    this.same = same;
  }

  fieldColumn(field) {
    const {model} = this, isNumber = ['int', 'float', 'time'].includes(field.kind);
    return {name: field.name, width: isNumber ? 'minmax(5em, 1fr)' : 'minmax(6em, 1.4fr)', number: isNumber,
      sort: field.kind === 'text' ? (hit) => field.column[model.row[hit]] : (hit) => model.number(field, model.row[hit]),
      text: (hit) => valueText(model, field, model.row[hit])};
  }

  sortBy(column) {
    this.sort = {column: column.name, down: this.sort.column === column.name && !this.sort.down};
    this.rows.setColumns(this.rows.columns, this.sort);
    this.arrange();
  }

  /** In the order that is wanted; equal ones, and those that are not known, in the order of time, the latter last. */
  arrange() {
    const {sort, found} = this, column = this.rows.columns.find(({name}) => name === sort.column);
    let items = found;
    if (sort.column !== 'time') {
      const keys = new Float64Array(this.model.hits), sign = sort.down ? -1 : 1;
      for (const hit of found) {
        const key = column.sort(hit);
        keys[hit] = Number.isNaN(key) ? Infinity : sign * key;
      }
      items = found.slice().sort((a, b) => keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b);
    } else if (sort.down) items = found.slice().reverse();
    this.items = items;
    this.rows.show(items);
    this.point();
  }

  point() { this.rows.point(this.view.selected < 0 ? -1 : this.items.indexOf(this.view.selected)); }

  showSelected() {
    this.point();
    showDetail(this.model, this.view.selected, byId('detail'));
  }
}

/** All that is known of a hit. */
function showDetail(model, hit, box) {
  if (hit < 0) {
    box.replaceChildren();
    return;
  }
  const statement = model.statements[model.statement[hit]], row = model.row[hit], list = make('dl');
  const add = (name, text) => list.append(make('dt', {}, name), make('dd', {}, text));
  add('time', `${timeText(model.ns(model.time[hit]))} (clock ${count(model.time[hit])})`);
  for (const field of statement.fields.slice(0, statement.values)) add(field.name, valueText(model, field, row));
  for (const object of statement.objects) add(object.name, objectText(model, statement, object, row));
  if (model.tasks.length && !(model.flags[hit] & TIMED)) {
    const pointer = model.task_pointer?.[hit];
    add('task', model.taskName(hit) + (pointer ? ` (0x${pointer.toString(16).padStart(8, '0')})` : ''));
  }
  add('path', pathText(model, hit));
  const inferred = inferredText(model, hit);
  if (inferred) add('path~', `${inferred}${model.inferred.get(`${model.time[hit]} ${model.statement[hit]}`).only ? ' (the only one that the program\'s calls allow)' : ''}, inferred`);
  if (placeText(model, hit)) add('place', placeText(model, hit, true));
  if (model.flags[hit] & HAS_TIMES)
    add('after it', `recognised ${lengthText(model.ns(model.recognition[hit]))}, actions ${lengthText(model.ns(model.action_start[hit]))} to ${lengthText(model.ns(model.action_end[hit]))}`);
  if (model.flags[hit] & UNCERTAIN) add('uncertain', 'it may not have been a hit: what it depends on was lost');
  box.replaceChildren(make('h3', {}, statement.name), make('pre', {class: 'source'}, statement.text), list);
}
