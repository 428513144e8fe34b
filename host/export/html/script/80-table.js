// A table of any number of rows: only those that can be seen are elements of the page.

const ROW = 26, HEIGHT_MOST = 8000000; // pixels that all browsers can scroll through

class Rows {
  /** columns: {name, width, number, text(item), sort}; `onRow(item)`: it was clicked. */
  constructor(root, label) {
    this.root = root;
    this.count = 0;
    this.items = null;
    this.current = -1;
    this.head = make('div', {class: 'head', role: 'row'});
    this.body = make('div', {class: 'body', role: 'rowgroup'});
    this.room = make('div', {class: 'room'});
    this.box = make('div', {class: 'rows', role: 'grid', tabindex: '0', 'aria-label': label}, this.head, this.body);
    this.body.append(this.room);
    this.pool = [];
    this.body.addEventListener('scroll', () => this.draw());
    this.box.addEventListener('keydown', (event) => this.key(event));
    root.replaceChildren(this.box);
    addEventListener('resize', () => this.draw());
    addEventListener('beforeprint', () => this.draw());
  }

  setColumns(columns, sort) {
    this.columns = columns;
    this.box.style.setProperty('--columns', columns.map((column) => column.width).join(' '));
    this.head.replaceChildren(...columns.map((column) => this.headCell(column, sort)));
    for (const row of this.pool) row.remove();
    this.pool = [];
  }

  headCell(column, sort) {
    const direction = sort?.column === column.name ? (sort.down ? 'descending' : 'ascending') : null;
    const content = column.sort ? make('button', {type: 'button', click: () => this.onSort?.(column), title: `sort by ${column.name}`},
      column.name + (direction ? (sort.down ? ' \u2193' : ' \u2191') : '')) : column.name;
    return make('div', {role: 'columnheader', 'aria-sort': direction, class: column.number ? 'number' : null}, content);
  }

  /** items: an array; each is given to the columns. */
  show(items) {
    this.items = items;
    this.total = items.length * ROW;
    this.height = Math.min(this.total, HEIGHT_MOST);
    this.room.style.height = this.height + 'px';
    this.box.setAttribute('aria-rowcount', items.length);
    this.body.scrollTop = Math.min(this.body.scrollTop, this.height);
    this.draw();
  }

  get view() { return this.body.clientHeight; }

  /** What the scroll bar says, in pixels of a table that is not squeezed. */
  get offset() {
    const room = this.height - this.view;
    return room > 0 ? this.body.scrollTop / room * (this.total - this.view) : 0;
  }

  draw() {
    if (!this.items) return;
    const offset = this.offset, first = Math.max(0, Math.floor(offset / ROW)), shown = Math.min(this.items.length - first, Math.ceil(this.view / ROW) + 1);
    while (this.pool.length < shown) {
      const row = make('div', {role: 'row', class: 'item'}, ...this.columns.map((column) => make('div', {role: 'gridcell', class: column.number ? 'number' : null})));
      row.addEventListener('click', () => this.choose(row.index));
      this.room.append(row);
      this.pool.push(row);
    }
    this.pool.forEach((row, i) => {
      row.hidden = i >= shown;
      if (i < shown) this.fill(row, first + i, this.body.scrollTop + (first + i) * ROW - offset);
    });
  }

  fill(row, index, top) {
    const item = this.items[index];
    row.index = index;
    row.style.top = top + 'px';
    row.setAttribute('aria-rowindex', index + 1);
    row.setAttribute('aria-selected', index === this.current);
    row.classList.toggle('odd', index % 2 === 1);
    this.columns.forEach((column, i) => {
      const text = column.text(item), cell = row.children[i];
      if (cell.textContent !== text) {
        cell.textContent = text;
        cell.title = text;
      }
      if (column.mark) cell.className = column.mark(item);
    });
  }

  /** Makes a row the current one and shows it. */
  point(index) {
    this.current = index;
    if (index >= 0) {
      const top = index * ROW, offset = this.offset;
      if (top < offset || top + ROW > offset + this.view) {
        const room = this.total - this.view;
        this.body.scrollTop = room > 0 ? Math.max(0, top - this.view / 2) / room * (this.height - this.view) : 0;
      }
    }
    this.draw();
  }

  choose(index) {
    if (index < 0 || index >= this.items.length) return;
    this.point(index);
    this.onRow?.(this.items[index]);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.view / ROW) - 1), last = this.items.length - 1, at = this.current;
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: last}[event.key];
    if (to === undefined || event.target !== this.box) return;
    event.preventDefault();
    this.choose(Math.min(Math.max(to, 0), last));
  }
}
