// Call paths of the hits that the timeline shows, by how many there are: outermost above, width is the share.

const FLAME_LEAST = 0.002; // of the width: narrower ones are only counted

class Flame {
  constructor(view, root) {
    this.view = view;
    this.model = view.model;
    this.root = root;
    view.on('window', later(150, () => this.draw()));
  }

  /** Hits by path: {name, count, children}. */
  tree() {
    const {model, view} = this, {path, flags, inlined} = model, top = {name: 'all', count: 0, children: new Map()};
    const end = lowerBound(model.time, view.to), counts = new Uint32Array(model.texts.length * 16), others = new Map(), firsts = new Map();
    for (let hit = lowerBound(model.time, view.from); hit < end; hit++) {
      const key = path[hit] * 16 + (flags[hit] & (TIMED | NO_PATH | CUT_PATH));
      if (inlined[hit]) {
        const exact = `${key} ${inlined[hit]}`;
        others.set(exact, (others.get(exact) || 0) + 1);
        if (!firsts.has(exact)) firsts.set(exact, hit);
      } else if (!counts[key]++) firsts.set(key, hit);
    }
    for (const [key, hit] of firsts) {
      const many = typeof key === 'string' ? others.get(key) : counts[key];
      let node = top;
      node.count += many;
      for (const name of pathNames(model, hit)) {
        if (!node.children.has(name)) node.children.set(name, {name, count: 0, children: new Map(), parent: node});
        node = node.children.get(name);
        node.count += many;
      }
      node.own = (node.own || 0) + many;
    }
    return top;
  }

  draw() {
    const top = this.tree(), rows = [];
    const place = (node, depth, left) => {
      const children = [...node.children.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
      for (const child of children) {
        const width = child.count / top.count;
        if (width >= FLAME_LEAST) {
          (rows[depth] ??= []).push({node: child, left, width});
          place(child, depth + 1, left);
        }
        left += width;
      }
    };
    if (top.count) place(top, 0, 0);
    this.root.replaceChildren(...rows.map((row) => make('div', {class: 'flame-row'}, ...row.map((part) => this.frame(part, top.count)))));
    if (!top.count) this.root.append(make('p', {class: 'hint'}, 'No hits here.'));
  }

  frame({node, left, width}, all) {
    const names = [];
    for (let at = node; at.parent; at = at.parent) names.unshift(at.name);
    const share = (node.count / all * 100).toPrecision(3);
    const title = `${names.join(' > ')}\n${count(node.count)} hits, ${share} %` + (node.own && node.own !== node.count ? `, ${count(node.own)} in itself` : '');
    const frame = make('button', {class: 'frame s' + nameHash(node.name) % 8, type: 'button', title, 'data-count': node.count,
      click: () => this.onQuery?.(`path:${quotedTerm(names.filter((name) => name !== '\u2026').map((name) => name.replace('\u26a1 ', '')).join('>'))}`)}, node.name);
    frame.style.left = left * 100 + '%';
    frame.style.width = width * 100 + '%';
    return frame;
  }
}

/** The same colour for the same name. */
function nameHash(name) {
  let hash = 7;
  for (const c of name) hash = (hash * 31 + c.codePointAt(0)) >>> 0;
  return hash;
}
