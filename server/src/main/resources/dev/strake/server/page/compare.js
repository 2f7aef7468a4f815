// The differences between two revisions: rendered documents, and documents as published.

import {h} from './dom.js';
import {all, askTree, route} from './api.js';
import {differences} from './differences.js';
import {words} from './activity.js';
import {get} from './tree.js';
import {verdict} from './validations.js';
import {age, count, effectBar, empty, status, to, who} from './words.js';

export async function open({root, workspace, from, to: until, signal, title}) {
  title(`${from} → ${until} of ${workspace}`);
  const [answer, {items: revisions}] = await Promise.all([
    askTree(route(workspace, `diff/${encodeURIComponent(from)}/${encodeURIComponent(until)}`, {changes: true}), {signal}),
    all(route(workspace, 'revisions'), {limit: 1_000, signal})]);
  const [first, last] = ['from', 'to'].map(name => Number(get(answer, name).text));
  const of = number => revisions.find(each => each.revision === number);
  const next = revisions[revisions.indexOf(of(last)) + 1];
  const made = of(last);
  const isOne = made && (revisions[revisions.indexOf(made) - 1]?.revision ?? 0) === first;
  const rendered = get(answer, 'rendered');
  const published = get(answer, 'documents');
  root.append(h('div.bar', {}, h('h1', {}, isOne ? `Revision ${count(last)}` : `Revision ${count(first)} → ${count(last)}`),
      h('span.sides', {}, h('span.bad', {}, '− ', said(first)), ' ', h('span.ok', {}, '+ ', said(last))),
      made && status(made.status), made && verdict(workspace, last, signal), h('span.grow'),
      first > 0 && h('a.button', {href: to.compare(workspace, revisions[revisions.indexOf(of(first)) - 1]?.revision ?? 0, first)}, `← Revision ${first}`),
      next && h('a.button', {href: to.compare(workspace, last, next.revision)}, `Revision ${next.revision} →`),
      h('a.button', {href: to.compare(workspace, last, first)}, '⇄ Other way round'),
      next && h('a.button', {href: `#/w/${encodeURIComponent(workspace)}/rollback/${last}`}, `Roll back to ${last}…`)),
  h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'Differences'}, h('div.page', {},
      isOne && h('div.figures', {}, h('p', {}, h('strong', {}, made.message ?? words(made)), h('br'),
          h('span.muted', {}, [who(made) && `${who(made)}, `, age(made.time), `, change ${made.changeId}`])), effectBar(made, made.affected)),
      get(answer, 'complete') === false && h('p.warn', {}, 'There are more changes than fit into one answer. Those of the last documents are omitted.'),
      h('h2', {}, `Rendered documents: ${rendered.length === 0 ? 'none differs' : count(rendered.length)}`),
      differences(workspace, rendered, {revision: null}),
      h('h2', {}, `Documents as published: ${published.length === 0 ? 'none differs' : count(published.length)}`),
      differences(workspace, published, {revision: null}),
      rendered.length + published.length === 0 && empty('Nothing differs.'))));
}

/* The label of one side of the comparison. */
const said = revision => revision === 0 ? 'nothing yet' : `revision ${count(revision)}`;
