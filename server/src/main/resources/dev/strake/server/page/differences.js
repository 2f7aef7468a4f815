// How documents differ, place by place.

import {h} from './dom.js';
import {text} from './code.js';
import {get, plain} from './tree.js';
import {count, some, to} from './words.js';

const SIGNS = {created: '+', modified: '~', deleted: '−'};
const OPEN = 12;
const MOST = 500;

/** A list of differing documents, each to be opened. Of many, the first are open; what they hold is made when they are. */
export function differences(workspace, list, more) {
  return list.length > 0 && [h('div.differences', {}, list.slice(0, MOST).map((each, i) => difference(workspace, each, more, i < OPEN && list.length <= 3 * OPEN))),
    list.length > MOST && h('p.muted', {}, `and ${count(list.length - MOST)} more`)];
}

function difference(workspace, each, more, isOpen) {
  const kind = get(each, 'difference');
  const changes = get(each, 'changes');
  const id = {schema: get(each, 'schema'), name: get(each, 'name'), layer: get(each, 'layer') ?? null};
  const body = h('div', {});
  let isFilled = false;
  const fill = () => {
    if (!isFilled) {
      isFilled = true;
      body.append(...(changes ?? []).slice(0, MOST).map(change));
      if (changes?.length > MOST) {
        body.append(h('p.muted.change', {}, `and ${some(changes.length - MOST, 'more place')}`));
      }
    }
  };
  const element = h('details', {open: isOpen, ontoggle: () => element.open && fill()},
      h('summary', {}, h(`strong.mono.${kind === 'created' ? 'ok' : kind === 'deleted' ? 'bad' : 'warn'}`, {'aria-hidden': 'true'}, SIGNS[kind] ?? '~'),
          h('span.document', {}, h('span.name', {}, id.name), ' ', h('span.schema', {}, id.schema)), id.layer && h('span.tag.layer', {}, id.layer),
          h('span.sort', {}, kind, changes && kind === 'modified' ? `, ${some(changes.length, 'place')}` : '')),
      body);
  if (isOpen) {
    fill();
  }
  return h('div.difference', {}, element, h('a.open', {href: to.document(workspace, id, {...more, layer: id.layer}), 'aria-label': `Open ${id.name}`}, 'Open'));
}

function change(each) {
  const before = get(each, 'before');
  const after = get(each, 'after');
  return h('div.change', {}, h('div.at', {}, get(each, 'path')),
      before !== undefined && h('pre.before', {'data-sign': '−'}, h('span.visually-hidden', {}, 'before: '), text(before)),
      after !== undefined && h('pre.after', {'data-sign': '+'}, h('span.visually-hidden', {}, 'after: '), text(after)));
}
