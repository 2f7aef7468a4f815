// The problems of a workspace, with instructions, and the page of each problem code.

import {breakable, h} from './dom.js';
import {all, request, route} from './api.js';
import {notice} from './notice.js';
import {idOf} from './store.js';
import {age, count, documentLink, empty, problemsOf, to, waitFor, who} from './words.js';

const MOST = 500;
const FEW = 5;

export async function open(context) {
  return context.code === undefined ? ofWorkspace(context) : ofCode(context);
}

async function ofWorkspace({root, workspace, query, signal, title, again}) {
  title(`Problems of ${workspace}`);
  const revision = query.get('revision');
  const {items, revision: number, status, renderedRevision} = await all(route(workspace, 'problems', {revision}), {signal});
  const causes = causesOf(items);
  // The address may name the problem of one document, which is always shown.
  const [schema, layer, name] = ['schema', 'layer', 'name'].map(each => query.get(each));
  const isWanted = of => of && of.schema === schema && of.name === name && (layer === null || of.layer === layer);
  const wanted = causes.find(each => isWanted(each.problem.document)) ?? causes.find(each => each.because.some(isWanted));
  const listed = wanted && causes.indexOf(wanted) >= MOST ? [wanted, ...causes.slice(0, MOST - 1)] : causes.slice(0, MOST);
  let asked = null;
  root.append(h('div.bar', {}, h('h1', {}, 'Problems'), h('span', {role: 'status'}, problemsOf(items)), h('span.grow'), h('span.hint', {}, `revision ${count(number)}`)),
  items.length === 0
    ? empty('Nothing is wrong.', 'All documents render, and consumers have all of them.')
    : h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'Problems'}, h('div.page', {},
        status === 'failed' && h('p', {}, `${renderedRevision > 0 ? `Consumers keep revision ${count(renderedRevision)}` : 'Consumers get nothing'} until all documents render. `,
            h('a', {href: to.compare(workspace, renderedRevision, number)}, 'What they do not have yet')),
        name !== null && !wanted && h('p', {}, `${name} has no problem any more. These are the others.`),
        listed.map(cause => {
          const element = problem(workspace, cause.problem, {because: cause.because});
          if (cause === wanted) {
            asked = element;
            element.classList.add('asked');
            element.setAttribute('tabindex', -1);
          }
          return element;
        }),
        causes.length > MOST && h('p.muted', {}, `and ${count(causes.length - MOST)} more`))));
  if (revision === null) {
    notice(workspace, signal, number, again);
  }
  return {shown: () => {
    asked?.scrollIntoView({block: 'nearest'});
    asked?.focus({preventScroll: true});
  }};
}

/** Returns the causes among the problems, each with the documents that wait for it. A problem without a listed cause is its own entry. */
export function causesOf(items) {
  const waiting = new Map(items.filter(each => each.document).map(each => [idOf(each.document), []]));
  const waits = each => each.waitsFor && waiting.has(idOf(each.waitsFor));
  items.filter(waits).forEach(each => waiting.get(idOf(each.waitsFor)).push(each.document));
  return items.filter(each => !waits(each)).map(problem => ({problem, because: problem.document ? waiting.get(idOf(problem.document)) : []}));
}

/**
 * One problem: what, where, and how to fix it.
 *
 * @param because the documents that do not render because of it
 */
export function problem(workspace, each, {isWarning = false, line = null, because = []} = {}) {
  const {begun} = each;
  return h(`section.problem${isWarning ? '.warning' : ''}`, {'aria-label': each.code},
      h('div.bar-line', {}, h('strong', {}, h('a', {href: to.problem(each.code, workspace)}, each.code)), ' ',
          each.document && documentLink(workspace, each.document, {layer: each.document.layer}), ' ',
          each.document?.layer && h('span.tag.layer', {}, each.document.layer), ' ', line),
      h('p.message', {}, each.path && [h('code', {}, each.path), ' '], each.message),
      each.hint && h('p.hint', {}, each.hint),
      each.origin && h('p.mono.hint', {title: 'Its source'}, breakable(each.origin)),
      each.related?.length > 0 && h('p.hint', {}, 'See ', each.related.filter(other => other.name).map(other => [documentLink(workspace, other, {layer: other.layer}), ' '])),
      begun && h('p.hint', {}, 'Since ', h('a', {href: to.compare(workspace, begun.before, begun.revision)}, `revision ${count(begun.revision)}`), ': ',
          who(begun) && `${who(begun)}, `, age(begun.time), begun.message && `, “${begun.message}”`),
      because.length > 0 && h('details', {open: because.length <= FEW}, h('summary', {}, waitFor(1, because.length)),
          h('ul.depths', {}, because.slice(0, MOST).map(other => h('li', {}, documentLink(workspace, other, {layer: other.layer}))),
              because.length > MOST && h('li.hint', {}, `and ${count(because.length - MOST)} more`))));
}

const PAGES = ['problems.md', 'template-problems.md'];

async function ofCode({root, workspace, code, signal, title}) {
  title(code);
  const pages = await Promise.all(PAGES.map(async page => (await request(`page/${page}`, {signal})).text()));
  const section = pages.flatMap(page => page.split(/^## /m).slice(1)).find(each => each.split('\n', 1)[0].trim() === code);
  root.append(h('div.bar', {}, h('h1', {}, code), h('span.grow'), workspace !== undefined && h('a.button', {href: to.view(workspace, 'problems')}, `Problems of ${workspace}`), h('button', {type: 'button', onclick: () => history.back()}, 'Back')),
      h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': code}, h('div.page', {}, section === undefined
        ? empty('No page has this code.', 'This version of Strake does not know the code.') : prose(section.slice(section.indexOf('\n'))))));
}

/* Renders the part of Markdown used on these pages: paragraphs, fenced code, inline code and links. */
function prose(text) {
  return text.split(/^```/m).map((part, i) => {
    if (i % 2 === 1) {
      return h('div.prose', {}, h('pre', {tabindex: 0}, part.slice(part.indexOf('\n') + 1)));
    }
    return part.split(/\n\s*\n/).filter(each => each.trim()).map(paragraph => h('p', {}, paragraph.trim().replace(/\s*\n\s*/g, ' ')
        .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\*\*/g, '').split('`').map((each, nth) => nth % 2 === 1 ? h('code', {}, each) : each)));
  });
}
