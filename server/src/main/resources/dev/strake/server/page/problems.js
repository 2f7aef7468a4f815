// What is wrong, and what to do: the problems of a workspace, and the page of each code.

import {h} from './dom.js';
import {all, request, route} from './api.js';
import {notice} from './notice.js';
import {count, documentLink, empty, some, to} from './words.js';

const MOST = 500;

export async function open(context) {
  return context.code === undefined ? ofWorkspace(context) : ofCode(context);
}

async function ofWorkspace({root, workspace, query, signal, title, again}) {
  title(`Problems of ${workspace}`);
  const revision = query.get('revision');
  const {items, revision: number, status, renderedRevision} = await all(route(workspace, 'problems', {revision}), {signal});
  root.append(h('div.bar', {}, h('h1', {}, 'Problems'), h('span', {role: 'status'}, some(items.length, 'problem')), h('span.grow'), h('span.hint', {}, `revision ${count(number)}`)),
      items.length === 0
        ? empty('Nothing is wrong.', 'All documents render, and consumers have all of them.')
        : h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'Problems'}, h('div.page', {},
            status === 'failed' && h('p', {}, `Consumers keep revision ${count(renderedRevision)} until all documents render. `,
                h('a', {href: to.compare(workspace, renderedRevision, number)}, 'What they do not have yet')),
            items.slice(0, MOST).map(each => problem(workspace, each)), items.length > MOST && h('p.muted', {}, `and ${count(items.length - MOST)} more`))));
  if (revision === null) {
    notice(workspace, signal, number, again);
  }
}

/** One problem: what, where, what to do. */
export function problem(workspace, each, {isWarning = false, line = null} = {}) {
  return h(`section.problem${isWarning ? '.warning' : ''}`, {'aria-label': each.code},
      h('div.bar-line', {}, h('strong', {}, h('a', {href: to.problem(each.code)}, each.code)), ' ',
          each.document && documentLink(workspace, each.document, {layer: each.document.layer}), ' ',
          each.document?.layer && h('span.tag.layer', {}, each.document.layer), ' ', line),
      h('p.message', {}, each.path && [h('code', {}, each.path), ' '], each.message),
      each.hint && h('p.hint', {}, each.hint),
      each.origin && h('p.mono.hint', {title: 'Where its author keeps it'}, each.origin),
      each.related?.length > 0 && h('p.hint', {}, 'See ', each.related.filter(other => other.name).map(other => [documentLink(workspace, other, {layer: other.layer}), ' '])));
}

const PAGES = ['problems.md', 'template-problems.md'];

async function ofCode({root, code, signal, title}) {
  title(code);
  const pages = await Promise.all(PAGES.map(async page => (await request(`page/${page}`, {signal})).text()));
  const section = pages.flatMap(page => page.split(/^## /m).slice(1)).find(each => each.split('\n', 1)[0].trim() === code);
  root.append(h('div.bar', {}, h('h1', {}, code), h('span.grow'), h('button', {type: 'button', onclick: () => history.back()}, 'Back')),
      h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': code}, h('div.page', {}, section === undefined
        ? empty('No page has this code.', 'It is not one of Strake, or of another version.') : prose(section.slice(section.indexOf('\n'))))));
}

/* Of Markdown as much as these pages use: paragraphs, code between fences, code and links in a line. */
function prose(text) {
  return text.split(/^```/m).map((part, i) => {
    if (i % 2 === 1) {
      return h('div.prose', {}, h('pre', {tabindex: 0}, part.slice(part.indexOf('\n') + 1)));
    }
    return part.split(/\n\s*\n/).filter(each => each.trim()).map(paragraph => h('p', {}, paragraph.trim().replace(/\s*\n\s*/g, ' ')
        .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\*\*/g, '').split('`').map((each, nth) => nth % 2 === 1 ? h('code', {}, each) : each)));
  });
}
