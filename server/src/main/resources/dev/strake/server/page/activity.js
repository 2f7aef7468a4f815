// Recent activity: changes as they arrive, the documents that each affected, and how long it took.

import {h, replace, svg} from './dom.js';
import {all, route} from './api.js';
import {live} from './live.js';
import {Rows} from './rows.js';
import {age, below, count, effect, effectBar, empty, MADE, status, to, who} from './words.js';

const MINUTES = 5;
const STEP = 5_000;
const HEIGHT = 84;
const BOTTOM = 66;

export async function open({root, workspace, signal, title}) {
  title(`Activity of ${workspace}`);
  const changes = [];
  const seen = new Set();
  const keyOf = each => `${each.input ?? each.changeId + ' ' + each.revision + ' ' + each.status}`;

  function add(outcome) {
    const key = keyOf(outcome);
    // The same revision may arrive twice: first from the list of revisions, then as an outcome.
    const made = MADE.includes(outcome.status) ? `#${outcome.revision}` : key;
    if (!seen.has(made)) {
      seen.add(made);
      changes.push(outcome);
    }
  }

  async function read() {
    const {items} = await all(route(workspace, 'revisions'), {limit: 1_000, signal});
    items.forEach(add);
  }

  await read();
  live.outcomes.filter(each => each.workspace === workspace).forEach(add);

  const rows = new Rows({
    label: 'Changes',
    key: keyOf,
    columns: [
      {title: 'When', kind: 'short'}, {title: 'Status', kind: 'status'}, {title: 'Change'},
      {title: 'Affected → evaluated → emitted', kind: 'bars.wide'}, {title: 'Latency', kind: 'number.latency.wide'}, {title: 'Revision', kind: 'number.wide'},
    ],
    cells: each => {
      const isMade = MADE.includes(each.status) && each.revision > 0;
      const what = each.message ?? words(each);
      const more = [who(each), each.bucket && each.bucket !== 'default' ? `bucket ${each.bucket}` : null, reason(each)].filter(Boolean).join(' · ');
      const address = isMade ? to.compare(workspace, each.revision - 1, each.revision) : to.view(workspace, 'history');
      return [
        age(each.time), status(each.status),
        [h('a.main', {href: address, title: what}, h('span.name', {}, what)), ' ',
          h('span.muted.wide', {}, more),
          below(isMade && `revision ${count(each.revision)}`, isMade && effect(each).map(count).join(' → '), each.latencyMillis !== undefined && millis(each.latencyMillis), more)],
        effectBar(each, most), latency(each), isMade ? count(each.revision) : h('span.muted', {}, '–'),
      ];
    },
  });
  let most = 0;

  const plots = h('div.plots', {});
  const nothing = empty('Nothing has happened yet.', 'The workspace has no revisions.');

  function draw() {
    changes.sort((a, b) => b.time.localeCompare(a.time) || (b.revision ?? 0) - (a.revision ?? 0));
    changes.splice(5_000);
    most = changes.slice(0, 500).reduce((max, each) => Math.max(max, each.affected ?? 0), 0);
    rows.set(changes.slice());
    nothing.hidden = changes.length > 0;
    rows.element.hidden = changes.length === 0;
    plot();
  }

  function plot() {
    const recent = changes.filter(each => Date.now() - Date.parse(each.time) < MINUTES * 60_000);
    plots.hidden = recent.length === 0; // hides an empty chart
    const wide = plots.clientWidth;
    const width = Math.max(280, wide > 600 ? (wide - 56) / 2 : wide - 24);
    replace(plots, !plots.hidden && [timePlot(recent, width), ratePlot(recent, width)]);
  }

  root.append(h('div.bar', {}, h('h1', {}, 'Activity'), h('span.grow'),
      h('div.legend.wide', {'aria-label': 'What the bars mean'},
          key('spared', 'affected, not evaluated'), key('same', 'evaluated, no new record'), key('emitted', 'emitted'))),
  plots, rows.element, nothing);

  let frame = null;
  live.follow(workspace, signal, outcome => {
    add(outcome);
    frame ??= setTimeout(() => {
      frame = null;
      draw();
    }, 200);
  });
  live.addEventListener('gap', () => read().then(draw, () => {}), {signal});
  const timer = setInterval(plot, STEP);
  const size = new ResizeObserver(plot);
  size.observe(plots);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    clearTimeout(frame);
    size.disconnect();
    rows.close();
  });
  draw();
}

function key(kind, text) {
  const bar = h(`span.${kind}`);
  bar.style.width = '20px';
  return h('span.chip', {}, h('span.effect', {'aria-hidden': 'true'}, bar), text);
}

const TYPES = {
  'dev.strake.bucket.put': 'Bucket published', 'dev.strake.documents.put': 'Documents published', 'dev.strake.documents.delete': 'Documents deleted',
  'dev.strake.revision.rollback': 'Rolled back', 'dev.strake.revision.tag': 'Tagged', 'dev.strake.revision.untag': 'Tag removed', 'dev.strake.validation.put': 'Validated', 'dev.strake.workspace.delete': 'Workspace deleted',
};

/** Describes the effect of a change whose author left no message. */
export function words(change) {
  const {added = 0, changed = 0, removed = 0} = change.documents ?? {};
  const parts = [[added, 'added'], [changed, 'changed'], [removed, 'removed']].filter(([number]) => number > 0).map(([number, word]) => `${count(number)} ${word}`);
  return `${TYPES[change.type] ?? change.type}${parts.length > 0 ? ': ' + parts.join(', ') : ''}`;
}

const reason = each => each.status === 'rejected' && each.problems?.length > 0 ? `${each.problems[0].code}: ${each.problems[0].message}` : null;

const millis = number => number < 1_000 ? `${Math.round(number)} ms` : `${(number / 1_000).toFixed(1)} s`;

/* Outcomes and revisions have no latency, because they are the same in every run. */
const latency = each => each.latencyMillis !== undefined ? millis(each.latencyMillis)
  : h('span.muted', {title: 'Latency is known only to the process that made the revision, for its last 10,000.'}, 'not measured');

/** Returns one value per time step of the last minutes; the last step is now. */
function steps(events, value) {
  const now = Date.now();
  const found = Array.from({length: MINUTES * 60_000 / STEP}, () => []);
  for (const each of events) {
    const ago = Math.floor((now - Date.parse(each.time)) / STEP);
    if (ago >= 0 && ago < found.length) {
      found[found.length - 1 - ago].push(value(each));
    }
  }
  return found;
}

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];

const x = (i, width) => 44 + i * (width - 48) / (MINUTES * 60_000 / STEP - 1);

function axes(most, width, format) {
  const at = share => BOTTOM - share * (BOTTOM - 8);
  return [0, 0.5, 1].map(share => [
    svg('line.plot-grid', {x1: 44, x2: width, y1: at(share), y2: at(share)}),
    svg('text.plot-label', {x: 38, y: at(share) + 3, 'text-anchor': 'end'}, format(most * share)),
  ]).concat([[0, `${MINUTES} min ago`, 'start'], [1, 'now', 'end']].map(([share, text, anchor]) =>
    svg('text.plot-label', {x: share ? width : 44, y: HEIGHT - 4, 'text-anchor': anchor}, text)));
}

/** Returns the next round number that is not smaller. */
function ceiling(number) {
  const size = 10 ** Math.floor(Math.log10(Math.max(number, 1e-6)));
  return [1, 2, 5, 10].map(each => each * size).find(each => each >= number);
}

function figure(label, now, width, ...content) {
  return h('figure', {}, h('figcaption', {}, h('span', {}, label), now),
      svg('svg', {viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': `${label}. ${now.textContent}`}, content));
}

function timePlot(changes, width) {
  const found = steps(changes.filter(each => each.latencyMillis !== undefined), each => each.latencyMillis).map(each => each.sort((a, b) => a - b));
  const most = ceiling(Math.max(10, ...found.flat()));
  const y = value => BOTTOM - value / most * (BOTTOM - 8);
  const line = q => found.map((each, i) => each.length > 0 ? [i, quantile(each, q)] : null).filter(Boolean)
      .map(([i, value], nth) => `${nth === 0 ? 'M' : 'L'}${x(i, width).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const sorted = found.flat().sort((a, b) => a - b);
  const now = h('strong', {}, sorted.length === 0 ? 'none' : `p50 ${millis(quantile(sorted, 0.5))}, p99 ${millis(quantile(sorted, 0.99))}`);
  const dot = q => found.map((each, i) => each.length > 0 && svg('circle', {cx: x(i, width), cy: y(quantile(each, q)), r: 1.8, class: q < 0.9 ? 'plot-bar' : 'plot-b'}));
  return figure('Latency, p50 solid and p99 dashed', now, width, axes(most, width, millis), svg('path.plot-a', {d: line(0.5) || 'M0 0'}), svg('path.plot-b', {d: line(0.99) || 'M0 0'}), dot(0.5), dot(0.99));
}

function ratePlot(changes, width) {
  const found = steps(changes, () => 1).map(each => each.length / (STEP / 1_000));
  const most = ceiling(Math.max(1, ...found));
  const now = h('strong', {}, `${count(found.reduce((sum, each) => sum + each * STEP / 1_000, 0))} in ${MINUTES} min`);
  const bar = (width - 48) / found.length - 1;
  return figure('Changes a second', now, width, axes(most, width, value => String(Number(value.toFixed(2)))), found.map((each, i) => each > 0
    && svg('rect.plot-bar', {x: x(i, width) - bar / 2, width: bar, y: BOTTOM - each / most * (BOTTOM - 8), height: each / most * (BOTTOM - 8)})));
}

