// The page's elements. Texts become text nodes only: nothing of the program's is ever read as markup.

const byId = (id) => document.getElementById(id);

/** An element with properties (class, role, ... as attributes; functions as listeners) and what is in it. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A table; cells are texts or elements, numbers stand to the right. */
function makeTable(caption, heads, rows) {
  const cell = (content, tag, scope) => make(tag, {class: typeof content === 'number' ? 'number' : null, scope},
    typeof content === 'number' ? count(content) : content ?? '');
  return make('table', {},
    make('caption', {}, caption),
    make('thead', {}, make('tr', {}, ...heads.map((head) => cell(head, 'th', 'col')))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((content, i) => cell(content, i ? 'td' : 'th', i ? null : 'row'))))));
}

/** Runs after the last of many calls in a row. */
function later(milliseconds, run) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
}
