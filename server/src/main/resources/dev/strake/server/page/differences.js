// Shows how documents differ, place by place.

import {h} from './dom.js';
import {text} from './code.js';
import {get, plain} from './tree.js';
import {compareLines} from './linediff.js';
import {problem} from './problems.js';
import {count, some, to} from './words.js';

const SIGNS = {created: '+', modified: '~', deleted: '−'};
/** Describes a document that exists in both revisions, but did not render in one of them. */
const WHY = {created: 'renders again', deleted: 'could not be rendered'};

const OPEN = 12;
const MOST = 500;
const MOST_LINES = 2_000;

/** A list of differing documents that can be opened. The first ones are open; content is created when an item opens. */
export function differences(workspace, list, more) {
  return list.length > 0 && [h('div.differences', {}, list.slice(0, MOST).map((each, i) => difference(workspace, each, more, i < OPEN && list.length <= 3 * OPEN))),
    list.length > MOST && h('p.muted', {}, `and ${count(list.length - MOST)} more`)];
}

function difference(workspace, each, more, isOpen) {
  const kind = get(each, 'difference');
  const changes = get(each, 'changes');
  const why = get(each, 'problem') && plain(get(each, 'problem'));
  const id = {schema: get(each, 'schema'), name: get(each, 'name'), layer: get(each, 'layer') ?? null};
  const body = h('div', {});
  let isFilled = false;
  const fill = () => {
    if (!isFilled) {
      isFilled = true;
      if (why) {
        body.append(h('div.change', {}, kind === 'created' && h('p', {}, 'Before, it could not be rendered:'), problem(workspace, why)));
      }
      body.append(...(changes ?? []).slice(0, MOST).map(change));
      if (changes?.length > MOST) {
        body.append(h('p.muted.change', {}, `and ${some(changes.length - MOST, 'more place')}`));
      }
    }
  };
  const element = h('details', {open: isOpen, ontoggle: () => element.open && fill()},
      h('summary', {}, h(`strong.mono.${kind === 'created' ? 'ok' : kind === 'deleted' ? 'bad' : 'warn'}`, {'aria-hidden': 'true'}, why && kind === 'deleted' ? '✕' : SIGNS[kind] ?? '~'),
          h('span.document', {}, h('span.name', {}, id.name), ' ', h('span.schema', {}, id.schema)), id.layer && h('span.tag.layer', {}, id.layer),
          h(why && kind === 'deleted' ? 'span.sort.bad' : 'span.sort', {}, why ? WHY[kind] : kind, changes && kind === 'modified' ? `, ${some(changes.length, 'place')}` : '')),
      body);
  if (isOpen) {
    fill();
  }
  return h('div.difference', {}, element, h('a.open', {href: to.document(workspace, id, {...more, layer: id.layer}), 'aria-label': `Open ${id.name}`}, 'Open'));
}

function change(each) {
  const before = get(each, 'before');
  const after = get(each, 'after');
  if (typeof before === 'string' && typeof after === 'string' && (before + after).includes('\n')) {
    return h('div.change', {}, h('div.at', {}, get(each, 'path')), byLines(before, after));
  }
  return h('div.change', {}, h('div.at', {}, get(each, 'path')),
      [['−', before], ['+', after]].map(([sign, value]) => value !== undefined && side(sign, text(value))));
}

function side(sign, shown) {
  const [kind, word] = SAID[sign];
  const isLong = shown.length > 600 || shown.split('\n', 11).length > 10; // a long text may scroll, so it has to be focusable
  return h(`pre.${kind}`, {'data-sign': sign, tabindex: isLong ? 0 : null}, h('span.visually-hidden', {}, word), shown);
}

const SAID = {'+': ['after', 'after: '], '−': ['before', 'before: ']};

/* The differing lines of a multi-line text, with a few lines of context. */
function byLines(before, after) {
  const lines = compareLines(before, after);
  return h('div.by-lines', {role: 'group', tabindex: 0, 'aria-label': 'Lines that differ'}, lines.slice(0, MOST_LINES).map(({sign, text: line, left}) => {
    if (left) {
      return h('p.left', {}, `${some(left, 'line')} the same`);
    }
    const [kind, word] = SAID[sign] ?? ['same', null];
    return h(`pre.${kind}`, {'data-sign': sign}, word && h('span.visually-hidden', {}, word), line.length > 0 ? text(line) : word && h('span.muted', {}, '(empty)'));
  }), lines.length > MOST_LINES && h('p.left', {}, `and ${count(lines.length - MOST_LINES)} more`));
}
