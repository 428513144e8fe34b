// The page's data as the program has put them there: a head in JSON, then columns.

const UNCERTAIN = 1, TIMED = 2, NO_PATH = 4, CUT_PATH = 8, NO_TASK = 16, HAS_TIMES = 32;

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** object[key] is made when it is first asked for. */
function lazily(object, key, make) {
  Object.defineProperty(object, key, {configurable: true, enumerable: true, get() {
    const value = make();
    Object.defineProperty(object, key, {value, enumerable: true});
    return value;
  }});
}

/** Numbers of seven bits a byte. One kind of array for each reader: browsers make the fastest code for one. */
function readUnsigned(bytes, count) {
  const into = new Uint32Array(count);
  for (let i = 0, at = 0; i < count; i++) {
    let byte = bytes[at++], value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++];
      value |= (byte & 127) << shift;
    }
    into[i] = value;
  }
  return into;
}

/** The same of 0, -1, 1, -2 ... as 0, 1, 2, 3 ... */
function readSigned(bytes, count) {
  const into = new Float64Array(count);
  for (let i = 0, at = 0; i < count; i++) {
    let byte = bytes[at++], value = byte & 127;
    const odd = byte & 1;
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = bytes[at++];
      value += (byte & 127) * scale;
    }
    into[i] = odd ? -(value + 1) / 2 : value / 2;
  }
  return into;
}

/** Numbers beyond 2^52, as BigInts. */
function readWide(bytes, into, signed) {
  for (let i = 0, at = 0; i < into.length; i++) {
    let value = 0n, shift = 0n, byte;
    do {
      byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
    } while (byte > 127);
    value = value & 1n ? -((value + 1n) >> 1n) : value >> 1n;
    into[i] = signed ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
  }
  return into;
}

function readFloats(bytes, count, bits) {
  const own = bytes.slice(0, count * bits / 8); // where it begins at a multiple of its size
  return bits === 64 ? new Float64Array(own.buffer) : new Float32Array(own.buffer);
}

function readBits(bytes, count) {
  return Uint8Array.from({length: count}, (_, i) => bytes[i >> 3] >> (i & 7) & 1);
}

function reordered(array, order) {
  if (!order || !array) return array;
  const result = new array.constructor(array.length);
  for (let i = 0; i < order.length; i++) result[i] = array[order[i]];
  return result;
}

function readValues(field, stored, count, bytesOf) {
  const bytes = bytesOf(stored.values);
  if (field.kind === 'float') return readFloats(bytes, count, field.bits);
  if (field.kind === 'text') return readUnsigned(bytes, count);
  if (stored.wide) return readWide(bytes, field.signed ? new BigInt64Array(count) : new BigUint64Array(count), field.signed);
  return readSigned(bytes, count);
}

/** Number of the first element that is not below `value`, of `array` in order, from `low` to before `high`. */
function lowerBound(array, value, low = 0, high = array.length) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (array[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Model {
  constructor(bytes) {
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const head = this.head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
    const bytesOf = ([at, length]) => bytes.subarray(4 + size + at, 4 + size + at + length);
    this.schema = head.schema;
    this.about = head.about;
    this.summary = head.summary;
    this.hz = head.schema.clock_hz || 1;
    this.texts = [null, ...head.texts];
    this.hits = head.hits;
    this.losses = head.losses.map(([from, to, count, what]) => ({from, to, count, what})).sort((a, b) => a.from - b.from);
    this.inferred = new Map((head.inferred || []).map(([time, statement, only, ...paths]) => [`${time} ${statement}`, {only, paths}]));
    this.readColumns(bytesOf);
    this.readStatements(bytesOf);
    this.tasks = this.schema.tasks_by ? this.groupTasks() : [];
    this.findSpan();
  }

  readColumns(bytesOf) {
    const columns = this.head.columns, count = this.hits;
    const time = readSigned(bytesOf(columns.time), count);
    let sorted = true;
    for (let i = 1; i < count; i++) {
      if (time[i] < 0) sorted = false;
      time[i] += time[i - 1];
    }
    this.order = sorted ? null : Uint32Array.from(time.keys()).sort((a, b) => time[a] - time[b] || a - b);
    this.time = reordered(time, this.order);
    const read = (name, reader) => {
      const stored = bytesOf(columns[name]);
      return stored.length || !count ? reordered(reader(stored, count), this.order) : null;
    };
    for (const name of ['statement', 'flags', 'path', 'task', 'inlined']) this[name] = read(name, readUnsigned);
    for (const name of ['task_pointer', 'file', 'line', 'pc']) lazily(this, name, () => read(name, readUnsigned));
    for (const name of ['recognition', 'action_start', 'action_end']) lazily(this, name, () => read(name, readSigned));
  }

  /** The hits of each statement, in order, and the row of each hit in its statement's columns. */
  readStatements(bytesOf) {
    const stored = this.head.statements;
    this.statements = this.schema.statements || [];
    this.row = new Uint32Array(this.hits);
    this.statements.forEach((statement, number) => {
      Object.assign(statement, {number, hits: stored[number].hits});
      statement.at = new Uint32Array(statement.hits);
      statement.hitTime = new Float64Array(statement.hits);
    });
    const next = new Uint32Array(this.statements.length), {row, time, statement: numbers} = this;
    const ats = this.statements.map((statement) => statement.at), times = this.statements.map((statement) => statement.hitTime);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i], at = next[number]++;
      row[i] = at;
      ats[number][at] = i;
      times[number][at] = time[i];
    }
    for (const statement of this.statements) this.readFields(statement, stored[statement.number], bytesOf);
  }

  readFields(statement, stored, bytesOf) {
    const count = statement.hits, order = this.order && this.rowsInOrder(statement);
    statement.fields.forEach((field, i) => {
      const column = stored.fields[i];
      Object.assign(field, {number: i, statement, wide: column.wide, rows: count});
      lazily(field, 'column', () => reordered(readValues(field, column, count, bytesOf), order));
      lazily(field, 'known', () => column.known ? reordered(readBits(bytesOf(column.known), count), order) : null);
      lazily(field, 'abouts', () => column.abouts ? reordered(readUnsigned(bytesOf(column.abouts), count), order) : null);
      lazily(field, 'numbers', () => this.numbersOf(field));
      field.names = Object.entries(field.labels || {});
    });
    statement.objects.forEach((object, i) => {
      for (const name of ['state', 'address'])
        lazily(object, name, () => reordered(readUnsigned(bytesOf(stored.objects[i][name]), count), order));
    });
  }

  /** For hits that did not come in the order of their times: rows as they came, in the order of time. */
  rowsInOrder(statement) {
    const came = new Uint32Array(this.hits); // row by hit as it came
    const raw = new Uint32Array(this.hits);
    this.order.forEach((from, to) => { raw[from] = this.statement[to]; });
    let row = 0;
    for (let i = 0; i < this.hits; i++) if (raw[i] === statement.number) came[i] = row++;
    return Uint32Array.from(statement.at, (hit) => came[this.order[hit]]);
  }

  groupTasks() {
    const {flags, task, time, hits} = this, unknown = this.texts.length, counts = new Uint32Array(unknown + 1), groups = [];
    const keyOf = (i) => flags[i] & TIMED ? -1 : flags[i] & NO_TASK ? unknown : task[i];
    for (let i = 0; i < hits; i++) if (keyOf(i) >= 0) counts[keyOf(i)]++;
    for (let i = 0; i < hits; i++) {
      const key = keyOf(i);
      if (key < 0) continue;
      const group = groups[key] ??= {key, name: this.taskName(i), at: new Uint32Array(counts[key]), hitTime: new Float64Array(counts[key]), length: 0};
      group.at[group.length] = i;
      group.hitTime[group.length++] = time[i];
    }
    const isNamed = ({key}) => key > 0 && key < unknown;
    return groups.filter(Boolean).sort((a, b) => isNamed(b) - isNamed(a) || (a.name < b.name ? -1 : 1));
  }

  taskName(hit) {
    if (this.flags[hit] & NO_TASK) return '(task unknown)';
    return this.texts[this.task[hit]] ?? '(no task)';
  }

  /** From the first to the last time that is known of. A loss whose end was not told lasts until the next hit, at most. */
  findSpan() {
    const ends = this.losses.map((loss) => loss.to ?? loss.from);
    const last = ends.reduce((a, b) => Math.max(a, b), this.hits ? this.time[this.hits - 1] + 1 : 0);
    const first = Math.min(this.hits ? this.time[0] : Infinity, this.losses.length ? this.losses[0].from : Infinity);
    this.end = Math.max(last, this.about.part ? 0 : this.summary?.cycles || 0, 1);
    this.begin = Number.isFinite(first) && (this.about.part || !this.schema.simulated) ? first : 0;
    if (this.end - this.begin < 16) this.end = this.begin + 16;
    for (const loss of this.losses) loss.until = loss.to ?? this.time[lowerBound(this.time, loss.from + 1)] ?? this.end;
  }

  ns(clocks) { return clocks / this.hz * 1e9; }
  clocks(ns) { return ns / 1e9 * this.hz; }

  isKnown(field, row) { return !field.known || field.known[row] === 1; }

  /** All values of a field as numbers; NaN: not known. */
  numbersOf(field) {
    const {column, known} = field;
    if (!known && column instanceof Float64Array) return column;
    const numbers = new Float64Array(column.length);
    for (let row = 0; row < numbers.length; row++) numbers[row] = known && !known[row] ? NaN : Number(column[row]);
    return numbers;
  }

  /** A value as a number, lengths of time in clocks; NaN: it is not known or no number. */
  number(field, row) {
    return field.kind === 'text' || !this.isKnown(field, row) ? NaN : Number(field.column[row]);
  }
}
