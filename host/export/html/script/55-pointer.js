// Wheel, pointer and keys on the timeline.

let scrolled = -1000; // when the page was last scrolled
addEventListener('scroll', () => { scrolled = performance.now(); }, {passive: true});

/** Zooms around the pointer, or moves where the wheel goes sideways. A page that is being scrolled goes on. */
function listenWheel(view, canvas) {
  canvas.addEventListener('wheel', (event) => {
    if (performance.now() - scrolled < 250 && !event.ctrlKey) return;
    event.preventDefault();
    const unit = event.deltaMode ? 30 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) view.move((event.deltaX || event.deltaY) * unit / canvas.clientWidth);
    else view.zoom(Math.exp(-event.deltaY * unit / 300), view.from + event.offsetX / canvas.clientWidth * view.span);
  }, {passive: false});
}

/** Calls back while a pointer is dragged: begin(x, event) gives {move(x), end(x, moved)}. */
function listenDrag(canvas, start) {
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button) return;
    const first = event.offsetX, drag = start(first, event);
    let moved = false;
    canvas.setPointerCapture(event.pointerId);
    const move = (next) => {
      const x = next.clientX - canvas.getBoundingClientRect().left;
      moved ||= Math.abs(x - first) > 4;
      if (moved) drag.move(x);
    };
    const end = (next) => {
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerup', end);
      canvas.removeEventListener('pointercancel', end);
      drag.end(next.clientX - canvas.getBoundingClientRect().left, moved);
    };
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
  });
}

/** Drag moves; shift and drag zooms to what is between; a click calls `click`. */
function listenWindow(timeline, canvas, click) {
  const {view} = timeline;
  listenWheel(view, canvas);
  listenDrag(canvas, (first, event) => {
    const {from, to} = view, width = canvas.clientWidth, timeAt = (x) => from + Math.min(Math.max(x / width, 0), 1) * (to - from);
    const between = (x) => [timeAt(first), timeAt(x)].sort((a, b) => a - b);
    if (!event.shiftKey)
      return {move: (x) => view.set(from + (first - x) / width * (to - from), to + (first - x) / width * (to - from)),
        end: (x, moved) => { if (!moved) click?.(x); }};
    const band = make('div', {class: 'band'});
    canvas.parentElement.append(band);
    return {move: (x) => {
      band.style.left = canvas.offsetLeft + Math.min(first, x) + 'px';
      band.style.width = Math.abs(x - first) + 'px';
    }, end: (x, moved) => {
      band.remove();
      if (moved) view.set(...between(x));
    }};
  });
  canvas.addEventListener('dblclick', (event) => view.zoom(4, view.from + event.offsetX / canvas.clientWidth * view.span));
}

function listenLane(timeline, lane) {
  listenWindow(timeline, lane.canvas, (x) => {
    const hit = timeline.hitAt(lane, x);
    if (hit >= 0) timeline.view.select(hit);
  });
  lane.canvas.addEventListener('pointermove', (event) => timeline.showTip(lane, event));
  lane.canvas.addEventListener('pointerleave', () => timeline.hideTip());
}

/** The window is dragged as a whole; beside it, a new one is drawn. */
function listenOverview(timeline) {
  const {view, overview: canvas, model} = timeline;
  canvas.addEventListener('wheel', (event) => {
    if (performance.now() - scrolled < 250 && !event.ctrlKey) return;
    event.preventDefault();
    view.zoom(Math.exp(-event.deltaY / 300), model.begin + event.offsetX / canvas.clientWidth * (model.end - model.begin));
  }, {passive: false});
  listenDrag(canvas, (first) => {
    const {from, to} = view, timeAt = (x) => model.begin + x / canvas.clientWidth * (model.end - model.begin);
    const inside = timeAt(first) >= from && timeAt(first) <= to && !view.isAll;
    return {move: (x) => {
      const distance = timeAt(x) - timeAt(first);
      if (inside) view.set(from + distance, to + distance);
      else view.set(...[timeAt(first), timeAt(x)].sort((a, b) => a - b));
    }, end: (x, moved) => {
      if (!moved) view.set(timeAt(x) - (to - from) / 2, timeAt(x) + (to - from) / 2);
    }};
  });
  canvas.addEventListener('dblclick', () => view.all());
}

function listenKeys(view, element) {
  const keys = {'ArrowLeft': () => view.move(-0.2), 'ArrowRight': () => view.move(0.2), '+': () => view.zoom(2), '=': () => view.zoom(2),
    '-': () => view.zoom(0.5), 'ArrowUp': () => view.zoom(2), 'ArrowDown': () => view.zoom(0.5), '0': () => view.all(), 'Home': () => view.all()};
  element.addEventListener('keydown', (event) => {
    if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
}
