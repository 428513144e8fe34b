// What is searched for: terms that must all hold. temp>80  mode=ARMED  task:idle  path:main>control  "any text"  -not

class QueryError extends Error {}

const quotedTerm = (text) => /^[^\s"\\]+$/.test(text) ? text : '"' + text.replace(/[\\"]/g, '\\$&') + '"';

/** Words; quotes keep blanks together, a \ takes the next character as it is. Characters that were quoted cannot be operators. */
function queryWords(text) {
  const words = [];
  let word = null, quote = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (!quote && /\s/.test(c)) {
      if (word) words.push(word);
      word = null;
      continue;
    }
    word ??= {text: '', plain: 0};
    if (c === '"') quote = !quote;
    else {
      if (c === '\\' && quote && i + 1 < text.length) i++;
      word.text += text[i];
      if (!quote && word.plain === word.text.length - 1) word.plain++; // so many characters stand outside of quotes at its begin
    }
  }
  if (quote) throw new QueryError('a quote (") is not closed');
  if (word) words.push(word);
  return words;
}

const UNITS = {ns: 1, us: 1e3, '\u00b5s': 1e3, '\u03bcs': 1e3, ms: 1e6, s: 1e9, min: 60e9};

function parseTime(text) {
  const match = /^(-?[\d.]+(?:e-?\d+)?)(ns|us|\u00b5s|\u03bcs|ms|s|min)$/.exec(text);
  if (!match || Number.isNaN(Number(match[1]))) throw new QueryError(`'${text}' is no time: write it with its unit, like 500us, 5ms or 2s`);
  return Number(match[1]) * UNITS[match[2]];
}

const COMPARE = {'>': (a, b) => a > b, '<': (a, b) => a < b, '>=': (a, b) => a >= b, '<=': (a, b) => a <= b,
  '=': (a, b) => a === b, '==': (a, b) => a === b, '!=': (a, b) => a !== b};

class Query {
  constructor(model) {
    this.model = model;
    this.fieldNames = new Set();
    for (const statement of model.statements) for (const field of statement.fields) this.fieldNames.add(field.name);
  }

  /** Numbers of the hits for which all terms hold, in the order of time. */
  run(text, from = -Infinity, to = Infinity) {
    const terms = queryWords(text).map((word) => this.term(word)), {model} = this;
    const first = lowerBound(model.time, from), found = new Uint32Array(model.hits);
    let length = 0;
    if (!terms.length) {
      const end = to === Infinity ? model.hits : lowerBound(model.time, to + 1);
      return found.map((_, i) => first + i).subarray(0, Math.max(0, end - first));
    }
    for (let hit = first; hit < model.hits && model.time[hit] <= to; hit++) {
      let holds = true;
      for (let i = 0; i < terms.length && holds; i++) holds = terms[i](hit);
      if (holds) found[length++] = hit;
    }
    return found.slice(0, length);
  }

  term({text, plain}) {
    if (plain && text[0] === '-' && text.length > 1) {
      const holds = this.term({text: text.slice(1), plain: plain - 1});
      return (hit) => !holds(hit);
    }
    const colon = /^(task|path|statement|place|value):/.exec(text);
    if (colon && plain >= colon[0].length) return this.named(colon[1], text.slice(colon[0].length));
    return (plain && this.comparison(text, plain)) || this.anywhere(text);
  }

  /** NAME OPERATOR VALUE; null: it is none. A name may hold > itself, as in p->next. */
  comparison(text, plain) {
    const unknown = [];
    for (const match of text.matchAll(/>=|<=|!=|==|=|>|</g)) {
      const name = text.slice(0, match.index), operator = match[0], value = text.slice(match.index + operator.length);
      if (match.index >= plain || !name) continue;
      if (name === 'time') return this.compareTime(operator, value);
      if (this.fieldNames.has(name)) return this.compareField(name, operator, value);
      unknown.push(name);
    }
    if (!unknown.length) return null;
    const names = [...this.fieldNames].slice(0, 12).join(', ');
    throw new QueryError(`no statement prints '${unknown[0]}'` + (names ? `; there is ${names}` : '') + '. To search for the text itself, put it in quotes');
  }

  compareTime(operator, value) {
    const {model} = this, limit = parseTime(value), compare = COMPARE[operator];
    return (hit) => compare(model.ns(model.time[hit]), limit);
  }

  compareField(name, operator, value) {
    const {model} = this, tests = new Map();
    for (const statement of model.statements)
      for (const field of statement.fields)
        if (field.name === name) tests.set(statement.number, [...tests.get(statement.number) || [], this.fieldTest(field, operator, value)]);
    return (hit) => tests.get(model.statement[hit])?.some((test) => test(model.row[hit])) || false;
  }

  /** What is not known is neither equal nor unequal to anything. */
  fieldTest(field, operator, value) {
    const {model} = this, compare = COMPARE[operator], known = (test) => (row) => model.isKnown(field, row) && test(row);
    if (field.kind === 'text') return known((row) => compare(model.texts[field.column[row]], value));
    if (field.kind === 'time') {
      const limit = parseTime(value);
      return known((row) => compare(model.ns(Number(field.column[row])), limit));
    }
    const constant = this.constant(field, value);
    if (constant !== undefined) return known((row) => compare(field.column[row], constant));
    if (operator === '>' || operator === '<' || operator === '>=' || operator === '<=')
      throw new QueryError(`'${value}' is no value that ${field.name} can be compared with`);
    return known((row) => compare(valueText(model, field, row), value));
  }

  constant(field, value) {
    const label = field.names.find(([name]) => name === value);
    const plain = label ? label[1] : value === 'true' ? 1 : value === 'false' ? 0 : value === 'NULL' ? 0 : undefined;
    const character = /^'(.)'$/.exec(value);
    if (field.wide) return this.wideConstant(plain ?? value);
    if (plain !== undefined) return plain;
    if (character) return character[1].charCodeAt(0);
    const constant = /^-?(0x[\da-f]+|[\d.]+(e[+-]?\d+)?|inf)$/i.test(value) ? Number(value.replace('inf', 'Infinity')) : NaN;
    if (Number.isNaN(constant)) return undefined;
    return field.kind === 'float' && field.bits === 32 ? Math.fround(constant) : constant;
  }

  wideConstant(value) {
    try {
      return BigInt(value);
    } catch {
      return undefined;
    }
  }

  /** For each text, whether it has `part` in it, whatever the case. */
  textsWith(part) {
    const wanted = part.toLowerCase();
    return Uint8Array.from(this.model.texts, (text) => text !== null && text.toLowerCase().includes(wanted) ? 1 : 0);
  }

  named(key, value) {
    const {model} = this, wanted = value.toLowerCase();
    if (key === 'statement') {
      const exact = model.statements.some((statement) => statement.name === value);
      const right = model.statements.map((statement) => exact ? statement.name === value : statement.name.toLowerCase().includes(wanted));
      return (hit) => right[model.statement[hit]];
    }
    if (key === 'task') return this.cached((hit) => model.flags[hit] & TIMED ? '' : model.taskName(hit),
      (hit) => model.task[hit] * 64 + (model.flags[hit] & (TIMED | NO_TASK)), (name) => name === value || (wanted !== name && name.toLowerCase().includes(wanted) && !model.tasks.some((task) => task.name === value)));
    if (key === 'path') return this.pathWith(wanted);
    if (key === 'place') return (hit) => placeText(model, hit, true).toLowerCase().includes(wanted);
    return this.valueWith(value);
  }

  /** control, or main>control: activations that follow each other. */
  pathWith(wanted) {
    const {model} = this, chain = wanted.split('>').map((part) => part.trim()).filter(Boolean);
    const has = (text) => {
      const names = text.split(' > ').map((name) => name.replace('\u26a1 ', '').toLowerCase()).filter((name) => name !== '\u2026');
      if (chain.length < 2) return names.some((name) => name.includes(chain[0] ?? ''));
      return names.some((_, start) => chain.every((part, i) => names[start + i] === part));
    };
    return this.cached((hit) => pathText(model, hit),
      (hit) => `${model.path[hit]} ${model.flags[hit] & (TIMED | NO_PATH | CUT_PATH)} ${model.inlined[hit]}`, has);
  }

  /** A test of a text that many hits have in common; hits with the same key have the same text. */
  cached(textOf, keyOf, test) {
    const known = new Map();
    return (hit) => {
      const key = keyOf(hit);
      let result = known.get(key);
      if (result === undefined) known.set(key, result = test(textOf(hit)));
      return result;
    };
  }

  /** A text in names, paths, tasks, places and values; a number as a value. */
  anywhere(text) {
    const {model} = this, texts = this.textsWith(text), wanted = text.toLowerCase();
    const names = model.statements.map((statement) => statement.name.toLowerCase().includes(wanted));
    const path = text.includes('>') ? this.pathWith(wanted) : () => false, value = this.valueWith(text);
    const place = /:\d+$/.test(text) ? (hit) => placeText(model, hit, true).toLowerCase().includes(wanted) : () => false;
    return (hit) => names[model.statement[hit]] || texts[model.path[hit]] || texts[model.task[hit]] || texts[model.file[hit]] ||
      texts[model.inlined[hit]] || value(hit) || path(hit) || place(hit);
  }

  valueWith(text) {
    const {model} = this, texts = this.textsWith(text), wanted = text.toLowerCase();
    const tests = model.statements.map((statement) => statement.fields.map((field) => {
      if (field.kind === 'text') return (row) => texts[field.column[row]];
      const constant = field.kind === 'time' ? undefined : this.constant(field, text);
      const labels = field.kind === 'enum' && !field.wide ? field.names.filter(([name]) => name.toLowerCase().includes(wanted)).map(([, label]) => label) : [];
      const bits = labels.length > 0 && field.names.every(([, label]) => label > 0 && label <= 0x80000000);
      return (row) => model.isKnown(field, row) && ((constant !== undefined && field.column[row] === constant) ||
        labels.includes(field.column[row]) || (bits && valueText(model, field, row).toLowerCase().includes(wanted)) ||
        Boolean(field.abouts && texts[field.abouts[row]]));
    }));
    return (hit) => tests[model.statement[hit]].some((test) => test(model.row[hit]));
  }
}
