// Whether a revision is ready: the results posted by services, and the expectations of validation policies.

import {breakable, h} from './dom.js';
import {ask, route} from './api.js';
import {age, count, documentLink, empty, some, to} from './words.js';

/** The most entries shown of one validation; failures come first. */
const MOST = 200;

/** A link to the readiness of a revision, once known. Empty without expectations and results, or from an instance of an earlier version. */
export function verdict(workspace, revision, signal) {
  const element = h('span');
  ask(route(workspace, 'validations', {revision}), {signal}).then(found => {
    if (found.policies.length > 0 || found.items.some(each => each.time !== null)) {
      element.append(h('a', {href: to.validations(workspace, revision)}, chip(found)));
    }
  }, () => {});
  return element;
}

function chip({ready, policies, validations}) {
  if (policies.length > 0) {
    return mark(ready, ready ? 'ready' : 'not ready');
  }
  const isFine = Object.values(validations).every(each => each === 'success');
  return mark(isFine, isFine ? 'validated' : 'validations failed');
}

function mark(isFine, text) {
  return h(`span.status-${isFine ? 'rendered' : 'failed'}.chip`, {}, h('span.mark', {'aria-hidden': 'true'}, isFine ? '●' : '✕'), text);
}

export async function open({root, workspace, query, signal, title}) {
  title(`Validations of ${workspace}`);
  const found = await ask(route(workspace, 'validations', {revision: query.get('revision')}), {signal});
  const names = Object.keys(found.validations);
  root.append(h('div.bar', {}, h('h1', {}, 'Validations'), chip(found), h('span.grow'), h('span.hint', {}, `revision ${count(found.revision)}`)),
      h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'Validations'}, h('div.page', {},
          found.policies.length === 0 && h('p', {}, 'No validation policy applies to this revision.'),
          found.policies.map(each => policy(workspace, each)),
          names.length === 0 && empty('Nothing was validated.'),
          names.map(name => validation(workspace, name, found.validations[name], found.items.filter(each => each.validation === name))))));
}

function policy(workspace, {policy: id, fulfilled, validations}) {
  return h('section', {'aria-label': id.name},
      h('h2', {}, documentLink(workspace, id), ' ', mark(fulfilled, fulfilled ? 'fulfilled' : 'not fulfilled')),
      h('ul.depths', {}, Object.entries(validations).map(([name, status]) => h('li', {}, breakable(name), ' ', word(status)))));
}

const word = status => h(`span.${status === 'success' ? 'ok' : status.startsWith('ignored') ? 'muted' : 'bad'}`, {}, status);

function validation(workspace, name, status, entries) {
  const shown = [...entries].sort((a, b) => (a.status === 'success') - (b.status === 'success')).slice(0, MOST);
  return h(`section${status === 'success' ? '' : status.startsWith('ignored') ? '.problem.warning' : '.problem'}`, {'aria-label': name},
      h('details', {open: status !== 'success'},
          h('summary', {}, h('strong', {}, breakable(name)), ' ', word(status), ' ', some(entries.length, 'entry', 'entries')),
          shown.map(each => entry(workspace, each)),
          entries.length > MOST && h('p.muted', {}, `and ${count(entries.length - MOST)} more`)));
}

function entry(workspace, {id, status, standing, time, expiresAfter, validator, errors}) {
  return h('div', {},
      h('p', {}, `${id}: `, word(status), standing === 'counted' ? null : ` (${standing})`,
          h('span.muted', {}, [validator.name && ` ${validator.name}`, validator.version && ` ${validator.version}`, time && [', ', age(time)], expiresAfter && `, counts for ${expiresAfter}`])),
      errors.map(error => h('p.message', {}, text(error.message), ' ',
          (Array.isArray(error.documents) ? error.documents : []).filter(each => each?.schema && each.name)
              .map(each => [documentLink(workspace, each, {layer: each.layer}), ' ']))));
}

/* Validators may post arbitrary text. */
const text = value => typeof value === 'string' ? value : JSON.stringify(value);
