// Explains where a value comes from.

import {breakable, h} from './dom.js';
import {text} from './code.js';
import {problem as toldProblem} from './problems.js';
import {get, plain} from './tree.js';
import {documentLink, empty} from './words.js';

const KINDS = {
  own: ['·', 'Written here'], parent: ['↑', 'From the parent'], action: ['⤵', 'Layered'], substitution: ['⇐', 'Substituted'],
  operation: ['✎', 'Set by operations'], derivation: ['∴', 'Derived'],
};

/** The mark of a leaf by its winner: `{text, title}`. */
export function glyph(cause, id) {
  const kind = get(cause, 'kind');
  const [text, title] = KINDS[kind] ?? ['?', kind];
  const document = get(cause, 'document');
  const whose = document && get(document, 'name') !== id.name ? ` in ${get(document, 'name')}` : '';
  return {text: kind === 'own' && whose ? '↑' : text, title: title + whose};
}

/** The legend of the marks. */
export const legend = () => h('footer', {'aria-label': 'Marks'}, Object.values(KINDS).map(([text, title]) => h('span', {}, h('span.mono', {}, text), ' ', title.toLowerCase())));

/** The chains of an explanation; only that of the place itself if it is one leaf. */
export function chain(workspace, answer, path, more) {
  const problem = get(answer, 'problem');
  if (problem) {
    return toldProblem(workspace, plain(problem));
  }
  const items = get(answer, 'items') ?? [];
  if (items.length === 0) {
    return empty('Nothing is there.', `The rendered document has no value at ${path}.`);
  }
  return items.map(item => h('section', {'aria-label': get(item, 'path')},
      h('h3.mono', {}, breakable(get(item, 'path'))), explanation(workspace, item, more)));
}

/*
 * A value, and below it the values that it overrides, latest first, because users look for the winner. A step that led to the
 * winner has the winner's style, a step that led to an overridden value has not.
 */
function explanation(workspace, item, more, isLost = false, isFirst = true) {
  const causes = [...get(item, 'causes')].reverse();
  const list = (chosen, kind) => chosen.length > 0
      && h(`ol.chain.${kind}`, {}, chosen.map(cause => causeItem(workspace, cause, more, isLost || kind === 'losers', isFirst)));
  const lost = causes.filter(cause => get(cause, 'won') !== true);
  return [list(causes.filter(cause => get(cause, 'won') === true), 'winners'),
    lost.length > 0 && h('h4', {}, 'Overridden'), list(lost, 'losers')];
}

function causeItem(workspace, cause, more, isLost, isFirst) {
  const kind = get(cause, 'kind');
  const id = plain(get(cause, 'document'));
  const from = get(cause, 'from');
  const source = get(cause, 'source');
  const value = get(cause, 'value');
  return h(`li.cause.${isLost ? 'lost' : 'won'}`, {},
      h('div.what', {}, h('span.kind', {}, KINDS[kind]?.[1] ?? kind), how(cause), isFirst && !isLost && h('span.tag.layer', {}, 'wins')),
      value === undefined ? h('p.hint', {}, 'nothing is here') : h('pre.value', {tabindex: 0, 'aria-label': 'Value'}, text(value)),
      h('div.where', {}, documentLink(workspace, id, {...more, layer: id.layer}), ' ',
          id.layer && h('span.tag.layer', {}, id.layer), h('div', {}, h('code', {}, breakable(get(cause, 'path')))),
          typeof get(cause, 'place') === 'string' && h('div.mono', {title: 'Its source'}, breakable(get(cause, 'place'))),
          get(cause, 'revision') && h('div', {}, `since revision ${get(cause, 'revision').text}`)),
      source && h('div.where', {}, 'takes ', h('code', {}, breakable(get(cause, 'sourcePath'))), ' of ',
          documentLink(workspace, plain(source), more),
          get(cause, 'sourcePattern') && [', what matches ', h('code', {}, get(cause, 'sourcePattern'))]),
      from instanceof Map && explanation(workspace, from, more, isLost, false));
}

function how(cause) {
  const kind = get(cause, 'kind');
  if (kind === 'action') {
    return h('span.muted', {}, `${get(cause, 'method')} ${get(cause, 'actionPath')}`);
  } else if (kind === 'operation') {
    return h('span.muted', {}, `${get(cause, 'type')}, operation ${Number(get(cause, 'number').text) + 1}`);
  } else if (kind === 'parent') {
    return h('span.muted', {}, get(cause, 'base', 'name'));
  }
  return null;
}
