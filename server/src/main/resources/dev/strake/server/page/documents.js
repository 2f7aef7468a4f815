// The documents of a workspace, by layer, schema, bucket and label.

import {h, replace} from './dom.js';
import {all, route} from './api.js';
import {notice} from './notice.js';
import {Rows} from './rows.js';
import {graph, idOf} from './store.js';
import {count, empty, some, to} from './words.js';

const FACETS = [
  ['layer', 'Layer', item => item.layer ?? (item.derived ? '(derived)' : '(none)')],
  ['schema', 'Schema', item => item.schema],
  ['bucket', 'Bucket', item => item.bucket ?? '(derived)'],
  ['is', 'Is', item => flags(item)],
];
const MOST_VALUES = 12;

/** Labels for documents that are not ordinary ones. */
function flags(item, problems) {
  return [
    problems?.has(idOf(item)) && 'in trouble', item.abstract && 'abstract', item.replacement && 'replacement', item.internal && 'internal', item.derived && 'derived',
    item.secret && 'secret',
  ].filter(Boolean);
}

export async function open({root, workspace, query, address, signal, title, again}) {
  title(`Documents of ${workspace}`);
  const revision = query.get('revision');
  const [found, {items: troubles}] = await Promise.all([
    graph(workspace, revision, signal), all(route(workspace, 'problems', {revision}), {signal})]);
  const problems = new Map(troubles.filter(each => each.document).map(each => [idOf(each.document), each]));
  const order = new Map(found.layers.map((layer, i) => [layer, i]));
  const rank = item => item.layer === null ? found.layers.length + (item.derived ? 1 : 2) : order.get(item.layer) ?? found.layers.length;
  const items = found.items.map(item => ({
    item,
    text: `${item.name} ${item.schema} ${item.layer ?? ''} ${Object.entries(item.labels ?? {}).map(([key, value]) => `${key}=${value}`).join(' ')}`.toLowerCase(),
    flags: flags(item, problems),
  }));
  items.sort((a, b) => rank(a.item) - rank(b.item) || compare(a.item.schema, b.item.schema) || compare(a.item.name, b.item.name));

  const search = h('input', {type: 'search', placeholder: 'Search names, schemas, key=value', 'aria-label': 'Search documents', value: query.get('q') ?? ''});
  const label = h('input', {type: 'search', placeholder: 'key=value, key=value', 'aria-label': 'Filter by labels', value: query.get('label') ?? ''});
  const result = h('span', {role: 'status'});
  const lists = h('div', {});
  const facets = h('div.facets', {role: 'region', 'aria-label': 'Filters', tabindex: 0},
      h('form', {role: 'search', onsubmit: event => event.preventDefault()}, h('h2', {}, 'Labels'), label), lists);
  const rows = new Rows({
    label: 'Documents',
    key: each => idOf(each.item),
    columns: [{title: 'Name'}, {title: 'Schema', kind: 'text.wide'}, {title: 'Layer', kind: 'short'}, {title: 'Bucket', kind: 'short.wide'}, {title: 'Since', kind: 'number.wide'}, {title: h('span.visually-hidden', {}, 'What it is'), kind: 'mid'}],
    cells: ({item, flags: what}) => [
      h('a.main', {href: to.document(workspace, item, {revision, layer: item.layer}), title: item.name}, h('span.name', {}, item.name)),
      h('span.muted', {title: item.schema}, item.schema), item.layer === null ? h('span.muted', {}, '–') : item.layer,
      item.bucket ?? h('span.muted', {}, '–'), item.since ? `rev ${count(item.since)}` : '',
      what.map(each => [h(`span.tag${each === 'in trouble' ? '.bad' : each === 'secret' ? '.warn' : ''}`, {}, each), ' ']),
    ],
  });

  const chosen = {};
  FACETS.forEach(([name]) => {
    chosen[name] = query.get(name);
  });

  const wanted = (each, but) => FACETS.every(([name, , value]) => name === but || !chosen[name] || [name === 'is' ? each.flags : value(each.item)].flat().includes(chosen[name]));

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const labels = label.value.split(',').map(each => each.trim()).filter(each => each.includes('=')).map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]);
    const matching = items.filter(each => words.every(word => each.text.includes(word))
        && labels.every(([key, value]) => Object.hasOwn(each.item.labels ?? {}, key) && String(each.item.labels[key]) === value));
    const shown = matching.filter(each => wanted(each));
    rows.set(shown);
    replace(result, shown.length === items.length ? some(items.length, 'document') : `${count(shown.length)} of ${some(items.length, 'document')}`);
    const focused = document.activeElement?.dataset?.facet;
    replace(lists, FACETS.map(([name, text, value]) => facet(name, text, matching.filter(each => wanted(each, name)).flatMap(each => name === 'is' ? each.flags : [value(each.item)]))));
    if (focused) {
      [...facets.querySelectorAll('[data-facet]')].find(each => each.dataset.facet === focused)?.focus();
    }
    nothing.hidden = shown.length > 0;
    rows.element.hidden = shown.length === 0;
  }

  function facet(name, text, values) {
    const counts = new Map();
    values.forEach(value => counts.set(value, (counts.get(value) ?? 0) + 1));
    if (counts.size === 0 || (counts.size === 1 && !chosen[name] && name !== 'layer')) {
      return null;
    }
    const entries = [...counts].sort((a, b) => name === 'layer' ? (order.get(a[0]) ?? 99) - (order.get(b[0]) ?? 99) : b[1] - a[1] || compare(a[0], b[0]));
    const shown = entries.filter(([value], i) => i < MOST_VALUES || value === chosen[name]);
    return h('section', {'aria-label': text}, h('h2', {}, text), h('ul', {}, shown.map(([value, number]) => h('li', {}, h('button', {
      type: 'button', 'aria-pressed': String(chosen[name] === value), title: value, 'data-facet': `${name} ${value}`,
      onclick: () => {
        chosen[name] = chosen[name] === value ? null : value;
        address({[name]: chosen[name]});
        draw();
      },
    }, h('span', {}, value), h('span', {}, count(number)))))),
    entries.length > shown.length ? h('p.hint', {}, `${count(entries.length - shown.length)} more: search for them`) : null);
  }

  const nothing = empty('No document fits.', h('button', {type: 'button', onclick: () => {
    search.value = label.value = '';
    FACETS.forEach(([name]) => {
      chosen[name] = null;
    });
    address({q: '', label: '', layer: '', schema: '', bucket: '', is: ''});
    draw();
  }}, 'Show all'));
  const filters = h('button.narrow', {type: 'button', 'aria-expanded': 'false', onclick: () => {
    const isOpen = facets.classList.toggle('open');
    filters.setAttribute('aria-expanded', String(isOpen));
  }}, 'Filters');
  root.append(h('div.bar', {}, h('h1', {}, 'Documents'), search, result, filters, h('span.grow'),
      h('span.hint', {}, `revision ${count(found.revision)}`)),
  h('div.panes', {}, facets, h('div.pane', {}, rows.element, nothing)));
  const changed = () => {
    address({q: search.value, label: label.value});
    draw();
  };
  search.addEventListener('input', changed);
  label.addEventListener('input', changed);
  signal.addEventListener('abort', () => rows.close());
  if (revision === null) {
    notice(workspace, signal, found.revision, again);
  }
  draw();
}

const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
