// Values, times and paths as the command line shows them.

const number = (value) => Number(value.toPrecision(12)).toString();
const count = (value) => Number(value).toLocaleString('en').replaceAll(',', '\u202f');

/** "350 ns", "52.3 µs": a time or a length of time, to so many digits. */
function lengthText(ns, digits = 9) {
  const size = Math.abs(ns);
  const [scale, unit] = size < 1e3 ? [1, 'ns'] : size < 1e6 ? [1e3, '\u00b5s'] : size < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  return Number((ns / scale).toPrecision(digits)) + '\u00a0' + unit;
}

/** A time of the target with the same digits after the point as all others of its unit. */
function timeText(ns) {
  const size = Math.abs(ns);
  if (size < 1e6) return (ns / 1e3).toFixed(3) + '\u00a0\u00b5s';
  return size < 1e9 ? (ns / 1e6).toFixed(4) + '\u00a0ms' : (ns / 1e9).toFixed(6) + '\u00a0s';
}

const ESCAPES = {'\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\', '\0': '\\0', '\b': '\\b', '\f': '\\f', '\v': '\\v', '\x07': '\\a'};

function quoted(text, quote) {
  let out = quote;
  for (const c of text) {
    const code = c.codePointAt(0);
    out += c === quote ? '\\' + c : ESCAPES[c] ?? (code < 32 || code === 127 ? '\\x' + code.toString(16).padStart(2, '0') : c);
  }
  return out + quote;
}

function charText(code) {
  code &= 255;
  return code < 128 ? quoted(String.fromCharCode(code), "'") : `'\\x${code.toString(16)}'`;
}

/** The fewest digits that read back as the same float. */
function floatText(value, bits) {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (bits === 64) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}

/** An enumerator's name, several that are single bits as A|B, or the number. */
function enumText(field, value) {
  if (field.wide) return String(value);
  const whole = field.names.find(([, label]) => label === value);
  if (whole) return whole[0];
  const bits = field.names.every(([, label]) => label >= 0 && Number.isInteger(Math.log2(label || 1)));
  if (!bits || value <= 0 || value > 0xFFFFFFFF) return String(value);
  let rest = BigInt(value);
  const names = [];
  for (const [name, label] of field.names) {
    if (!label || !(rest & BigInt(label))) continue;
    names.push(name);
    rest &= ~BigInt(label);
  }
  return rest ? String(value) : names.join('|');
}

/** A value that is a number already; no row is behind it. */
function numberText(model, field, value) {
  switch (field.kind) {
    case 'char': return charText(Number(value));
    case 'bool': return Number(value) === 0 ? 'false' : Number(value) === 1 ? 'true' : String(value);
    case 'float': return floatText(value, field.bits);
    case 'enum': return enumText(field, value);
    case 'pointer': return Number(value) ? '0x' + Number(value).toString(16).padStart(8, '0') : 'NULL';
    case 'byte': return (Number(value) & 255).toString(16).padStart(2, '0');
    case 'time': return lengthText(model.ns(Number(value)));
    default: return String(value);
  }
}

function valueText(model, field, row) {
  if (!model.isKnown(field, row)) return field.kind === 'byte' ? '??' : '?';
  const value = field.column[row];
  if (field.kind === 'text') return field.parts ? model.texts[value] : quoted(model.texts[value] ?? '', '"');
  const text = numberText(model, field, value);
  const about = field.abouts && Number(value) ? model.texts[field.abouts[row]] : null;
  return about ? `${text} ${about}` : text;
}

/** A struct or array with all that is in it, "{zone = [{temp = 3}], steps = 3}". */
function objectText(model, statement, object, row) {
  const state = object.state[row];
  if (state === 1) return '(it did not come: it was lost on the way)';
  if (state > 1) return `(${model.texts[state - 2] ?? 'not there'})`;
  let node = 0, leaf = object.first;
  const leafText = () => valueText(model, statement.fields[leaf++], row);
  const walk = () => {
    const [kind, , size] = object.shape[node++];
    if (kind === 'leaf') return leafText();
    if (kind === 'bytes') return Array.from({length: size}, leafText).join(' ');
    const parts = [];
    for (let i = 0; i < size; i++) {
      const name = object.shape[node][1];
      parts.push(name ? `${name} = ${walk()}` : walk());
    }
    return kind === 'struct' ? `{${parts.join(', ')}}` : `[${parts.join(', ')}]`;
  };
  const address = object.range ? `0x${object.address[row].toString(16).padStart(8, '0')}: ` : '';
  return address + walk();
}

/** "temp=81 mode=ARMED" */
function valuesText(model, hit) {
  const statement = model.statements[model.statement[hit]], row = model.row[hit];
  const parts = [];
  for (const field of statement.fields.slice(0, statement.values))
    if (!field.aggregated) parts.push((field.parts ? '' : field.name + '=') + valueText(model, field, row));
  for (const object of statement.objects)
    parts.push(`${object.name}=${object.state[row] ? objectText(model, statement, object, row) : '{\u2026}'}`);
  return parts.join(' ');
}

/** The activations of a path, outermost first: "main:!isr", where a single colon in a name has a \ before it. */
function pathParts(text) {
  const parts = [];
  for (let i = 0; i < text.length;) {
    const interrupt = text[i] === '!';
    if (interrupt) i++;
    const start = i;
    let name = '';
    for (; i < text.length; i++) {
      if (text[i] === '\\' && text[i + 1] === ':') i++;
      else if (text[i] === ':' && text[i + 1] !== ':' && (i === start || text[i - 1] !== ':')) break;
      name += text[i];
    }
    parts.push({name, interrupt});
    i++;
  }
  return parts;
}

/** The activations of a hit's path as they are shown. */
function pathNames(model, hit) {
  const flags = model.flags[hit];
  if (flags & TIMED) return ['(a time had passed)'];
  if (flags & NO_PATH) return ['(path unknown)'];
  const text = model.texts[model.path[hit]];
  const names = text ? pathParts(text).map((part) => (part.interrupt ? '\u26a1 ' : '') + part.name) : ['(start-up)'];
  if (flags & CUT_PATH && names.length > 1) names.splice(names.length - 1, 0, '\u2026');
  if (model.inlined[hit]) names.push(model.texts[model.inlined[hit]] + ' (inlined)');
  return names;
}

const pathText = (model, hit) => pathNames(model, hit).join(' > ');

/** What is inferred of a hit's path, the most likely one first: "main > control 97 %, main 3 %"; '' where nothing is. */
function inferredText(model, hit) {
  const inferred = model.flags[hit] & NO_PATH ? model.inferred.get(`${model.time[hit]} ${model.statement[hit]}`) : null;
  if (!inferred) return '';
  const texts = [];
  for (let i = 0; i < inferred.paths.length; i += 2) {
    const names = pathParts(model.texts[inferred.paths[i]]).map((part) => (part.interrupt ? '\u26a1 ' : '') + part.name).join(' > ');
    texts.push(inferred.only ? names : `${names} ${Math.round(1000 * inferred.paths[i + 1]) / 10} %`);
  }
  return texts.join(', ');
}

function placeText(model, hit, whole = false) {
  if (model.flags[hit] & TIMED) return '';
  const file = model.texts[model.file[hit]];
  if (!file) return '0x' + model.pc[hit].toString(16).padStart(8, '0');
  return `${whole ? file : file.slice(file.lastIndexOf('/') + 1)}:${model.line[hit]}`;
}
