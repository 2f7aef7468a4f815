// The revisions of a workspace: who changed what and why, and how revisions relate.

import {h, replace} from './dom.js';
import {all, route} from './api.js';
import {live} from './live.js';
import {Rows} from './rows.js';
import {words} from './activity.js';
import {verdict} from './validations.js';
import {age, below, count, effect, effectBar, empty, MADE, some, status, to, who} from './words.js';

export async function open({root, workspace, query, address, signal, title}) {
  title(`History of ${workspace}`);
  let revisions = [];
  const read = async () => {
    revisions = (await all(route(workspace, 'revisions'), {limit: 1_000, signal})).items.reverse();
  };
  await read();

  const chosen = new Set();
  let most = 0;
  const search = h('input', {type: 'search', placeholder: 'Search author, message, tag, change', 'aria-label': 'Search revisions', value: query.get('q') ?? ''});
  const result = h('span', {role: 'status'});
  const compare = h('button', {type: 'button', disabled: true, onclick: () => {
    const [from, until] = [...chosen].sort((a, b) => a - b);
    location.hash = to.compare(workspace, from, until);
  }}, 'Compare two');
  const rows = new Rows({
    label: 'Revisions',
    key: each => each.revision,
    columns: [{title: h('span.visually-hidden', {}, 'Compare'), kind: 'tick'}, {title: 'Revision', kind: 'short'}, {title: 'Status', kind: 'status.wide'}, {title: 'Change'}, {title: 'Author', kind: 'mid.wide'},
      {title: 'Affected → evaluated → emitted', kind: 'bars.wide'}, {title: 'When', kind: 'short'}, {title: h('span.visually-hidden', {}, 'Roll back'), kind: 'short.wide'}],
    cells: each => [
      h('input', {type: 'checkbox', checked: chosen.has(each.revision), 'aria-label': `Compare revision ${each.revision}`, onchange: event => {
        event.target.checked ? chosen.add(each.revision) : chosen.delete(each.revision);
        compare.disabled = chosen.size !== 2;
        compare.textContent = chosen.size === 2 ? `Compare ${[...chosen].sort((a, b) => a - b).join(' → ')}` : 'Compare two';
      }}),
      h('a.main', {href: to.compare(workspace, before(each), each.revision), 'aria-label': `Revision ${each.revision}: ${each.message ?? words(each)}`}, h('span.name', {}, count(each.revision))),
      status(each.status),
      [Object.keys(each.tags ?? {}).map(tag => [h('span.tag.layer', {title: 'Tag'}, tag), ' ']), h('span', {title: each.message}, each.message ?? words(each)),
        below(status(each.status), effect(each).map(count).join(' → '))],
      who(each) ? h('span', {title: each.principal ? 'Proven by its token' : 'As the change says'}, who(each)) : h('span.muted', {}, '–'), effectBar(each, most), age(each.time),
      each === revisions[0] ? h('span.muted', {}, 'head') : h('a', {href: `#/w/${encodeURIComponent(workspace)}/rollback/${each.revision}`, 'aria-label': `Roll back to revision ${each.revision}`}, 'Roll back…'),
    ],
  });
  /* Returns the retained revision before it; revision 0 is the workspace before its first change. */
  const before = each => revisions[revisions.indexOf(each) + 1]?.revision ?? 0;

  function draw() {
    const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = revisions.filter(each => {
      const text = `${each.revision} ${each.principal ?? ''} ${each.author ?? ''} ${each.message ?? ''} ${each.changeId} ${each.bucket ?? ''} ${each.status} ${Object.keys(each.tags ?? {}).join(' ')}`.toLowerCase();
      return asked.every(word => text.includes(word));
    });
    most = revisions.reduce((max, each) => Math.max(max, each.affected), 0);
    rows.set(shown);
    replace(result, shown.length === revisions.length ? some(revisions.length, 'revision') : `${count(shown.length)} of ${some(revisions.length, 'revision')}`);
  }

  const other = h('form', {onsubmit: event => {
    event.preventDefault();
    const [from, until] = event.target.querySelectorAll('input');
    location.hash = to.compare(workspace, from.value.trim() || '0', until.value.trim() || 'head');
  }}, h('label.inline', {}, 'From ', h('input', {size: 8, placeholder: 'number, tag', 'aria-label': 'From revision or tag'}), ' to ',
      h('input', {size: 8, placeholder: 'head', 'aria-label': 'To revision or tag'}), h('button', {type: 'submit'}, 'Compare')));

  root.append(h('div.bar', {}, h('h1', {}, 'History'), revisions.length > 0 && h('span', {title: 'The head, when this view was opened'}, verdict(workspace, revisions[0].revision, signal)), search, result, h('span.grow'), compare, other),
      revisions.length === 0 ? empty('No revision is kept.') : rows.element);
  search.addEventListener('input', () => {
    address({q: search.value});
    draw();
  });
  let due = null;
  live.follow(workspace, signal, outcome => {
    if (MADE.includes(outcome.status) && outcome.revision > (revisions[0]?.revision ?? 0)) {
      revisions.unshift(outcome);
      due ??= setTimeout(() => {
        due = null;
        draw();
      }, 250);
    }
  });
  live.addEventListener('gap', () => read().then(draw, () => {}), {signal});
  signal.addEventListener('abort', () => {
    clearTimeout(due);
    rows.close();
  });
  draw();
}
