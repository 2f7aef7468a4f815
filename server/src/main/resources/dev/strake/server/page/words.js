// Terms and formats shared by all views.

import {breakable, h} from './dom.js';

const COUNT = new Intl.NumberFormat('en');

export const count = number => COUNT.format(number);

/** `1 document`, `2 documents`. */
export const some = (number, one, several = `${one}s`) => `${count(number)} ${number === 1 ? one : several}`;

/** Describes the documents that wait for problems: `6 documents wait for them`, in the words of the commands. */
export const waitFor = (problems, waiting) => `${some(waiting, 'document waits', 'documents wait')} for ${problems === 0 ? 'a problem' : problems === 1 ? 'it' : 'them'}`;

/** The number of problems and of waiting documents, such as `2 problems, 6 documents wait for them`. */
export const counted = ({problems, waiting}) =>
  [problems > 0 || waiting === 0 ? some(problems, 'problem') : null, waiting > 0 ? waitFor(problems, waiting) : null].filter(Boolean).join(', ');

/** The same for a list of problems. */
export const countOf = items => {
  const waiting = items.filter(each => each.waitsFor).length;
  return {problems: items.length - waiting, waiting};
};

/** Beyond this number, the service does not count problems. */
export const MOST_PROBLEMS = 1_000;

/** The most problems listed in an outcome. There may be more. */
export const MOST_IN_OUTCOME = 100;

export const problemsOf = items => counted(countOf(items));

/** Formats a duration with its two largest units. */
export function duration(millis) {
  const seconds = Math.max(0, millis) / 1000;
  if (seconds < 1) {
    return 'now';
  }
  for (const [unit, size] of [['d', 86_400], ['h', 3_600], ['min', 60]]) {
    if (seconds >= size) {
      return `${Math.floor(seconds / size)} ${unit}`;
    }
  }
  return `${Math.floor(seconds)} s`;
}

const AGES = new Set();

/** The time since an event, kept up to date while it is on the page. */
export function age(time, suffix = ' ago') {
  const element = h('time', {datetime: time, title: new Date(time).toLocaleString()});
  element.age = () => {
    const text = duration(Date.now() - Date.parse(time));
    element.textContent = text === 'now' ? text : text + suffix;
  };
  element.age();
  AGES.add(new WeakRef(element));
  return element;
}

setInterval(() => AGES.forEach(each => {
  const element = each.deref();
  if (element?.isConnected) {
    element.age();
  } else if (!element || Date.now() - (element.lost ??= Date.now()) > 60_000) {
    AGES.delete(each);
  }
}), 1_000);

/** The statuses of changes that created a revision. */
export const MADE = ['rendered', 'failed', 'partial'];

const MARKS = {rendered: '●', unchanged: '○', duplicate: '○', pending: '◔', planned: '◌', partial: '▲', rejected: '✕', failed: '✕'};

/** A status with a shape and a word, so that it does not depend on colour. */
export function status(name) {
  return h(`span.status-${MARKS[name] ? name : 'planned'}.chip`, {},
      h('span.mark', {'aria-hidden': 'true'}, MARKS[name] ?? '◌'), name);
}

const encode = encodeURIComponent;

/** The addresses of views. */
export const to = {
  workspaces: () => '#/',
  view: (workspace, view) => `#/w/${encode(workspace)}/${view}`,
  document: (workspace, id, more = {}) => {
    const given = Object.entries(more).filter(([, value]) => value !== null && value !== undefined && value !== '');
    const query = new URLSearchParams(given).toString();
    return `#/w/${encode(workspace)}/document/${encode(id.schema)}/${encode(id.name)}${query && '?' + query}`;
  },
  graph: (workspace, id, more = {}) =>
    `#/w/${encode(workspace)}/graph?${new URLSearchParams({schema: id.schema, name: id.name, ...(id.layer ? {layer: id.layer} : {}), ...more})}`,
  compare: (workspace, from, to) => `#/w/${encode(workspace)}/compare/${encode(from)}/${encode(to)}`,
  validations: (workspace, revision) => `#/w/${encode(workspace)}/validations?${new URLSearchParams({revision})}`,
  plan: (workspace, id, revision) =>
    `#/w/${encode(workspace)}/plan?${new URLSearchParams({schema: id.schema, name: id.name, ...(id.layer ? {layer: id.layer} : {}), ...(revision ? {revision} : {})})}`,
  /* The problems of a workspace; with a document, its problem among them. */
  problems: (workspace, id) => `#/w/${encode(workspace)}/problems${id ? `?${new URLSearchParams({schema: id.schema, ...(id.layer ? {layer: id.layer} : {}), name: id.name})}` : ''}`,
  problem: (code, workspace) => `${workspace === undefined ? '#' : `#/w/${encode(workspace)}`}/problem/${encode(code)}`,
};

/** A link to a document: the name first, with the schema next to it. */
export function documentLink(workspace, id, more = {}) {
  return h('a.document', {href: to.document(workspace, id, more)},
      h('span.name', {}, breakable(id.name)), ' ', h('span.schema', {}, breakable(id.schema)));
}

/** How many documents a change affected, evaluated and emitted. */
export const effect = outcome => [Math.max(outcome.affected ?? 0, outcome.evaluated ?? 0), outcome.evaluated ?? 0,
  (outcome.emitted ?? 0) + (typeof outcome.removed === 'number' ? outcome.removed : 0)];

/** Details below the first line of a cell, for screens too narrow for columns. */
export const below = (...parts) => h('span.narrow.below.muted', {}, parts.filter(Boolean).flatMap((part, i) => i === 0 ? [part] : [' · ', part]));

/** The parts of a change's effect, as one bar with numbers. */
export function effectBar(outcome, most) {
  const [affected, evaluated, emitted] = effect(outcome);
  const same = Math.max(0, evaluated - emitted);
  const text = `affected ${count(affected)}, evaluated ${count(evaluated)}, emitted ${count(emitted)}`;
  const bar = h('span.effect', {role: 'img', 'aria-label': text, title: text});
  // On a logarithmic scale, so that 3 of 400 and 400 of 400 are both visible.
  const width = most > 0 && affected > 0 ? Math.max(0.08, Math.log1p(affected) / Math.log1p(Math.max(most, 9))) : 0;
  const whole = Math.max(1, affected, emitted);
  const part = (kind, share) => {
    if (share > 0) {
      const element = h(`span.${kind}`);
      element.style.width = `${Math.max(3, share / whole * width * 100)}%`;
      bar.append(element);
    }
  };
  part('emitted', emitted);
  part('same', same);
  part('spared', affected - Math.max(evaluated, emitted));
  return h('span.effect-cell', {}, bar,
      h('span.numbers', {'aria-hidden': 'true'}, [affected, evaluated, emitted].map(count).join(' → ')));
}

/** The text of an empty view. */
export const empty = (title, ...more) => h('div.empty', {}, h('p.title', {}, title), h('p', {}, more));

/** The author of a change: the verified principal, or else the claimed author. */
export const who = made => made.principal ?? made.author;
