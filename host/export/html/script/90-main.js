// From the data to the page.

function showPage(model) {
  const view = new View(model);
  readInk();
  byId('loading').hidden = true;
  byId('page').hidden = false;
  showHead(model);
  const timeline = new Timeline(view, byId('timeline'));
  const plots = new Plots(view, byId('plots'), byId('values-statement'));
  const distribution = new Distribution(view), flame = new Flame(view, byId('flame')), hits = new Hits(view);
  model.ask = timeline.onQuery = flame.onQuery = (query) => hits.ask(query);
  showTables(model);
  showLosses(model, view);
  showMessages(model);
  byId('zoom-in').addEventListener('click', () => view.zoom(2));
  byId('zoom-out').addEventListener('click', () => view.zoom(0.5));
  byId('zoom-all').addEventListener('click', () => view.all());
  const drawAll = () => {
    readInk();
    timeline.draw();
    plots.draw();
  };
  addEventListener('resize', later(60, drawAll));
  addEventListener('beforeprint', drawAll);
  addEventListener('afterprint', drawAll);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  timeline.draw();
  distribution.draw();
  flame.draw();
  return {model, view, timeline, plots, distribution, flame, hits, texts: {value: valueText, path: pathText}};
}

async function start() {
  performance.mark('earshot-begin');
  const here = location.hash === '#inflate-here'; // for the test of what browsers without DecompressionStream do
  const stored = byId('data');
  const bytes = await inflate(fromBase64(stored.textContent.trim()), here);
  stored.remove();
  const model = new Model(bytes);
  performance.mark('earshot-read');
  window.earshot = showPage(model);
  performance.mark('earshot-shown');
  // interactive: the first picture is on the screen, and the next turn is free
  requestAnimationFrame(() => setTimeout(() => {
    performance.mark('earshot-interactive');
    document.documentElement.dataset.ready = Math.round(performance.now());
  }));
}

start().catch((error) => {
  const loading = byId('loading');
  loading.hidden = false;
  loading.className = 'trouble';
  loading.textContent = `This page cannot be shown: ${error.message}. It may have been cut off on its way, or the browser is from before 2021.`;
  document.documentElement.dataset.trouble = error.stack;
});
