// All workspaces, those with problems first.

import {h, replace} from './dom.js';
import {all} from './api.js';
import {live} from './live.js';
import {Rows} from './rows.js';
import {age, count, countOf, empty, MADE, MOST_IN_OUTCOME, MOST_PROBLEMS, some, status, to, waitFor, who} from './words.js';

const TROUBLE = {failed: 0, partial: 1};
const REFRESH = 10_000;

const severity = workspace => TROUBLE[workspace.status] ?? 2;

const ORDERS = {
  trouble: (a, b) => severity(a) - severity(b)
      || (severity(a) < 2 ? a.since.localeCompare(b.since) : b.time.localeCompare(a.time)) || a.workspace.localeCompare(b.workspace),
  name: (a, b) => a.workspace.localeCompare(b.workspace),
  change: (a, b) => b.time.localeCompare(a.time),
  size: (a, b) => b.documents - a.documents,
};

const named = cause => `${cause.code}${cause.document ? ` ${cause.document.name}` : ''}`;

/* Links to the first cause, with the number of other causes and of waiting documents. An instance of an earlier version returns only their number. */
function trouble({workspace, cause, problems, waiting = 0}) {
  const plus = problems >= MOST_PROBLEMS ? '+' : '';
  if (!cause) {
    return h('span.bad', {}, `${count(Math.min(problems, MOST_PROBLEMS))}${plus}`);
  }
  const words = named(cause);
  const causes = Math.max(1, Math.min(problems, MOST_PROBLEMS) - waiting);
  const more = [causes > 1 && `and ${count(causes - 1)}${plus} more`, waiting > 0 && waitFor(causes, waiting)].filter(Boolean).join(', ');
  return h('span', {}, h('a.bad', {href: to.problems(workspace, cause.document), title: words}, words), more && h('span.muted', {}, more));
}

export async function open({root, query, address, signal, title}) {
  title('Workspaces');
  const known = new Map();
  const read = async () => {
    const {items} = await all('workspaces', {limit: 1_000, signal});
    known.clear();
    items.forEach(item => known.set(item.workspace, item));
  };
  await read();

  const search = h('input', {type: 'search', placeholder: 'Filter by name, author or problem', 'aria-label': 'Filter workspaces', value: query.get('q') ?? ''});
  const order = h('select', {'aria-label': 'Order'}, [['trouble', 'Trouble first'], ['change', 'Last change first'], ['name', 'By name'], ['size', 'Largest first']]
      .map(([value, text]) => h('option', {value, selected: (query.get('order') ?? 'trouble') === value}, text)));
  const summary = h('div.summary', {role: 'status'});
  const rows = new Rows({
    label: 'Workspaces',
    key: each => each.workspace,
    columns: [
      {title: 'Status', kind: 'status'}, {title: 'Workspace'}, {title: 'Held', kind: 'short'}, {title: 'Problem', kind: 'trouble.wide'},
      {title: 'Documents', kind: 'number.wide'}, {title: 'Rendered', kind: 'number.wide'}, {title: 'Revision', kind: 'number.wide'},
      {title: 'Changed', kind: 'short.wide'}, {title: 'Last change', kind: 'text.wide'},
    ],
    cells: each => [
      status(each.status),
      [h('a.main', {href: severity(each) < 2 ? to.problems(each.workspace, each.cause?.document) : to.view(each.workspace, 'activity'), title: each.workspace}, h('span.name', {}, each.workspace)),
          each.cause && h('span.narrow.below.bad', {title: named(each.cause)}, named(each.cause))],
      each.since ? h('span.bad', {title: `Consumers have revision ${each.renderedRevision}`}, age(each.since, '')) : h('span.muted', {}, '–'),
      each.problems ? trouble(each) : h('span.muted', {}, '–'),
      count(each.documents), count(each.rendered), count(each.revision), age(each.time),
      [each.refused && [h('span.bad', {title: each.refused}, each.refused), ' '], who(each) ? h('span', {}, who(each), each.message ? ': ' : '') : null, h('span.muted', {title: each.message}, each.message ?? '')],
    ],
  });

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = [...known.values()].filter(each => {
      const text = `${each.workspace} ${each.status} ${each.principal ?? ''} ${each.author ?? ''} ${each.message ?? ''} ${each.cause?.code ?? ''} ${each.cause?.document?.name ?? ''}`.toLowerCase();
      return words.every(word => text.includes(word));
    });
    wanted.sort(ORDERS[order.value]);
    rows.set(wanted);
    const of = name => [...known.values()].filter(each => each.status === name).length;
    replace(summary, h('span', {}, wanted.length === known.size ? some(known.size, 'workspace') : `${count(wanted.length)} of ${some(known.size, 'workspace')}`),
        of('failed') > 0 && h('span.bad', {}, `✕ ${count(of('failed'))} failed`),
        of('partial') > 0 && h('span.warn', {}, `▲ ${count(of('partial'))} partial`),
        of('failed') + of('partial') === 0 && known.size > 0 && h('span.ok', {}, '● all in order'));
    nothing.hidden = known.size > 0;
    rows.element.hidden = known.size === 0;
  }

  const nothing = empty('No workspace yet.', 'Publish documents, and they appear here: ', h('code', {}, 'strake publish -w site-a --wait site/'));
  root.append(h('div.bar', {}, h('h1', {}, 'Workspaces'), search, order, h('span.grow'), summary), rows.element, nothing);
  search.addEventListener('input', () => {
    address({q: search.value});
    draw();
  });
  order.addEventListener('change', () => {
    address({order: order.value === 'trouble' ? '' : order.value});
    draw();
  });

  // Outcomes update the list immediately; the whole list is read only if that is not sufficient.
  let due = null;
  let frame = null;
  const again = (after = REFRESH) => {
    due ??= setTimeout(async () => {
      due = null;
      try {
        await read();
        draw();
      } catch {
        // The top bar reports the error; the next round retries.
      }
    }, after);
  };
  live.follow(null, signal, outcome => {
    const before = known.get(outcome.workspace);
    const isMade = typeof outcome.revision === 'number' && MADE.includes(outcome.status);
    if (before && outcome.status === 'rejected') { // changes nothing, but its author may be watching
      known.set(outcome.workspace, {...before, refused: `✕ rejected: ${outcome.problems[0]?.code}`});
    }
    if (isMade && (!before || outcome.problems.length >= MOST_IN_OUTCOME)) {
      again(); // the list has the count
    }
    if (isMade && before && outcome.revision >= before.revision) {
      known.set(outcome.workspace, {
        ...before, status: outcome.status, revision: outcome.revision, renderedRevision: outcome.renderedRevision,
        documents: outcome.documents.total, rendered: outcome.rendered, time: outcome.time,
        principal: outcome.principal, author: outcome.author, message: outcome.message, refused: undefined,
        ...(outcome.status === 'rendered' ? {since: undefined, problems: undefined, waiting: undefined, cause: undefined}
          : {since: before.since ?? outcome.time, problems: outcome.problems.length, waiting: countOf(outcome.problems).waiting, cause: outcome.problems.find(each => !each.waitsFor)}),
      });
    }
    frame ??= setTimeout(() => {
      frame = null;
      draw();
    }, 250);
  });
  live.addEventListener('gap', () => again(0), {signal});
  const timer = setInterval(() => live.state !== 'live' && again(0), REFRESH);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    clearTimeout(due);
    clearTimeout(frame);
    rows.close();
  });
  draw();
}
