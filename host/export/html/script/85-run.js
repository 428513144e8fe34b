// What there is to say of the run as a whole: the page's head, statements, counters, losses, messages.

const LOST_WHAT = {bus: 'transactions, before the probe could look at them', events: 'events, for lack of room in the probe',
  link: 'frames, on the way from the probe', host: 'records, that a client was too slow for',
  disk: 'records, that the trace\u2019s disk was full, failing or too slow for'};

/** How it ended, and whether that is bad. */
function ending(model) {
  const {summary, about} = model;
  if (about.part) return ['A part of a recording', false];
  if (!summary) return [about.unfinished ? 'The recording has no end: it was being written, or its writer was stopped' : 'No summary came', true];
  if (summary.mismatch) return ['The target ran another program', true];
  if (summary.trapped) return ['A trap stopped the program', true];
  if (summary.incomplete) return ['The probe\u2019s closing figures did not arrive', true];
  if (summary.halted) return ['An action halted the program', false];
  if (summary.exit_code !== null) return [`The program ended with exit code ${summary.exit_code}`, summary.exit_code !== 0];
  return ['Monitoring was ended while the program ran', false];
}

function lostTotals(model) {
  const totals = {};
  for (const loss of model.losses) totals[loss.what] = (totals[loss.what] || 0) + loss.count;
  for (const [what, many] of Object.entries(model.summary?.lost_by ?? {})) totals[what] = Math.max(totals[what] || 0, many);
  return totals;
}

/** met, FAILED, unknown or null, and why. */
function verdict(model, statement) {
  const verdicts = model.summary?.expectations;
  if (!statement.expect) return null;
  if (!verdicts || !(statement.name in verdicts)) return {word: 'unknown', why: 'the recording shows no verdict'};
  const met = verdicts[statement.name];
  return {word: met === null ? 'unknown' : met ? 'met' : 'FAILED', why: model.summary.expectations_why?.[statement.name] ?? ''};
}

const badge = (word) => make('span', {class: 'badge ' + word.toLowerCase()}, word);

function showHead(model) {
  const {schema, about, summary} = model, figures = byId('figures');
  const name = schema.program ? schema.program.slice(schema.program.lastIndexOf('/') + 1) : 'Nothing was recorded';
  byId('program').textContent = name;
  document.title = `${name}: Earshot report`;
  const origin = [schema.program, about.probe && `probe ${about.probe}`, schema.simulated ? 'simulated target' : null,
    about.origin_ms && !schema.simulated ? new Date(about.origin_ms).toISOString().replace('T', ' ').replace(/\.\d+Z/, ' UTC') : null, about.part && `only ${about.part}`];
  byId('origin').textContent = origin.filter(Boolean).join(' \u00b7 ');
  const add = (label, value, mark) => figures.append(make('div', {class: mark}, make('dt', {}, label), make('dd', {}, value)));
  add('hits', count(model.hits));
  add('statements', count(model.statements.length));
  add('target time', lengthText(model.ns(model.end - model.begin), 5));
  if (model.tasks.length) add('tasks', count(model.tasks.length));
  const lost = Object.values(lostTotals(model)).reduce((a, b) => a + b, 0);
  add('lost', lost ? count(lost) : 'nothing', lost ? 'bad' : 'good');
  const verdicts = model.statements.map((statement) => verdict(model, statement)).filter(Boolean);
  if (verdicts.length) {
    const met = verdicts.filter(({word}) => word === 'met').length;
    add('expectations met', `${met} of ${verdicts.length}`, met === verdicts.length ? 'good' : 'bad');
  }
  const [text, bad] = ending(model);
  add('end', text, 'wide' + (bad ? ' bad' : ''));
  showNotices(model, summary);
}

/** What a reader must know before believing the rest. */
function showNotices(model, summary) {
  const list = byId('notices'), {about} = model;
  const add = (mark, ...content) => list.append(make('li', {class: mark}, ...content));
  for (const statement of model.statements) {
    const judged = verdict(model, statement);
    if (judged && judged.word !== 'met') add('bad', badge(judged.word), ` ${statement.name}: ${judged.why || 'no reason was given'} `, make('code', {}, statement.text));
  }
  for (const [what, many] of Object.entries(lostTotals(model))) {
    if (!many) continue;
    const gaps = model.losses.filter((loss) => loss.what === what), first = gaps[0];
    const where = first ? `, in ${gaps.length === 1 ? 'one gap' : count(gaps.length) + ' gaps'}, the first at ${timeText(model.ns(first.from))}` : '';
    add('bad', make('span', {class: 'badge lost'}, 'lost'), ` ${count(many)} ${LOST_WHAT[what]}${where}. Hits in gaps are missing.`);
  }
  if (about.removed) add('', `The recording's first ${about.removed} chunks were removed before: it begins later than the run.`);
  if (about.torn_bytes) add('', `The last ${count(about.torn_bytes)} bytes of the recording were a half-written packet, and left out.`);
  if (summary?.unaccounted) add('bad', `${count(summary.unaccounted)} hits are unaccounted for: the firmware counted another number than it sent.`);
  if (summary?.unknown) add('', `${count(summary.unknown)} evaluations met memory whose contents were not known; these are no hits.`);
  if (summary?.torn) add('', `${count(summary.torn)} assignments in parts were mixed with others or never completed; nothing was evaluated for them.`);
  if (summary?.stack_switches) add('', `The program switched stacks ${count(summary.stack_switches)} times by hand: paths and locals are unknown from there on.`);
  if (summary?.tasks_given_up) add('', `At ${count(summary.tasks_given_up)} switches a task was given up: as many as can be are kept already.`);
  if (model.order) add('', 'Some hits came later than others of later times; all are shown in the order of their times.');
}

function showTables(model) {
  const seconds = (model.end - model.begin) / model.hz, any = model.statements.some((statement) => statement.expect);
  const rows = model.statements.map((statement) => {
    const judged = verdict(model, statement), told = model.summary?.statements?.[statement.name];
    const more = told !== undefined && told > statement.hits && !model.about.part ? `${count(told)} were counted` : '';
    return [make('button', {type: 'button', class: 'link', click: () => model.ask(`statement:${quotedTerm(statement.name)}`)}, statement.name),
      make('code', {}, statement.text), `${statement.file}:${statement.line}`, statement.hits, number(Number((statement.hits / seconds).toPrecision(4))) + ' /s',
      ...(any ? [judged ? make('span', {}, badge(judged.word), judged.why ? ' ' + judged.why : '') : ''] : []), more];
  });
  byId('statement-table').append(makeTable('All statements', ['statement', 'text', 'from', 'hits', 'rate', ...(any ? ['verdict'] : []), ''], rows));
  const counters = Object.entries(model.summary?.counters ?? {});
  if (counters.length) byId('counter-table').append(makeTable('Counters at the end', ['counter', 'value'], counters.map(([name, value]) => [name, value ?? '?'])));
  showRun(model);
}

function showRun(model) {
  const {schema, summary} = model, rows = [['clock', `${number(model.hz / 1e6)} MHz`]];
  if (schema.tasks_by) rows.push(['tasks told by', schema.tasks_by + (schema.kernel ? ` (${schema.kernel})` : '')]);
  for (const life of schema.observed_in_part ?? []) rows.push([`${life.procedure}\\${life.variable}`, `observed in ${life.observed_in}; else ${life.elsewhere}`]);
  if (summary?.cycles) rows.push(['target clocks', count(summary.cycles)]);
  if (summary?.seconds) rows.push(['monitoring took', lengthText(summary.seconds * 1e9, 4)]);
  (summary?.pulses ?? []).forEach((pulses, pin) => { if (pulses) rows.push([`pulses at trigger ${pin}`, count(pulses)]); });
  byId('run-table').append(makeTable('The run', ['', ''], rows));
}

function showLosses(model, view) {
  const box = byId('loss-table');
  if (!model.losses.length) {
    box.append(make('p', {class: 'hint'}, 'Nothing was lost.'));
    return;
  }
  const rows = new Rows(box, 'losses'), width = 'minmax(8em, 1fr)', time = (clocks) => clocks === null ? 'no end' : timeText(model.ns(clocks));
  rows.setColumns([{name: 'from', width, number: true, text: (loss) => time(loss.from)}, {name: 'to', width, number: true, text: (loss) => time(loss.to)},
    {name: 'how many', width, number: true, text: (loss) => count(loss.count)}, {name: 'of what', width: 'minmax(12em, 3fr)', text: (loss) => LOST_WHAT[loss.what]}]);
  rows.onRow = (loss) => {
    const end = loss.until, room = Math.max((end - loss.from) * 2, (model.end - model.begin) / 1000);
    view.set(loss.from - room, end + room);
  };
  box.classList.toggle('few', model.losses.length < 12);
  rows.show(model.losses);
}

const MESSAGES_MOST = 2000;

function showMessages(model) {
  const {messages} = model.head, box = byId('message-list');
  if (!messages.length) {
    box.append(make('p', {class: 'hint'}, 'There were no notes, no warnings, and nothing on the target\u2019s console.'));
    return;
  }
  const list = make('ol');
  for (const [, kind, text] of messages.slice(0, MESSAGES_MOST)) list.append(make('li', {class: kind}, make('span', {class: 'kind'}, kind), ' ', text));
  box.append(list);
  if (messages.length > MESSAGES_MOST) box.append(make('p', {class: 'hint'}, `${count(messages.length - MESSAGES_MOST)} more are in the recording: earshot read shows them.`));
}
