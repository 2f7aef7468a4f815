// One document: as published, as rendered, and the origin of each value.

import {append, breakable, h, replace} from './dom.js';
import {askTree, route} from './api.js';
import {chain, glyph, legend} from './explain.js';
import {Code} from './code.js';
import {REDACTED} from './draft.js';
import {notice} from './notice.js';
import {parameters} from './parameters.js';
import {problem} from './problems.js';
import {graph, idOf, isEncrypted, renderings, sources} from './store.js';
import {get, path, plain, yaml} from './tree.js';
import {count, documentLink, empty, to} from './words.js';

const MOST_DERIVED = 500;

export async function open({root, workspace, schema, name, query, address, signal, title, again}) {
  const id = {schema, name};
  const revision = query.get('revision');
  title(`${name} of ${workspace}`);
  const [published, rendered] = await Promise.all([sources(workspace, id, revision, signal), renderings(workspace, id, revision, signal)]);
  const all = get(published, 'items');
  const output = get(rendered, 'items')[0];
  const number = Number(get(rendered, 'revision').text);
  if (all.length === 0 && output === undefined) {
    replace(root, empty(`There is no document ${name}.`, `Revision ${number} has none of schema ${schema}.`));
    return {};
  }
  const layerOf = each => get(each, 'document', 'metadata', 'layeringDefinition', 'layer') ?? null;
  const layer = query.get('layer') ?? get(output, 'metadata', 'layeringDefinition', 'layer') ?? null;
  let shown = all.find(each => layerOf(each) === layer) ?? all.at(-1);

  const source = h('div.pane', {});
  const result = h('div.pane', {});
  const side = h('aside.pane.side', {'aria-label': 'Where the value comes from', hidden: true});
  const closed = [];
  const facts = h('span.facts', {});
  let printed = null;
  let marks = new Map();

  function drawSource() {
    const code = shown && new Code({label: `${name} as published`, value: get(shown, 'document')});
    closed.push(code);
    source.hidden = !shown; // derived documents have no source
    const origin = shown && get(shown, 'origin');
    const secret = shown && isEncrypted(get(shown, 'document'));
    const plan = shown && !secret && to.plan(workspace, {...id, layer: layerOf(shown)}, revision);
    replace(source, h('header', {}, h('h2', {}, 'Source'),
        all.length > 1 && h('select', {'aria-label': 'Layer', onchange: event => {
          shown = all[event.target.selectedIndex];
          address({layer: layerOf(shown)});
          drawSource();
        }}, all.map(each => h('option', {selected: each === shown}, layerOf(each) ?? '(no layer)'))),
        all.length === 1 && layerOf(shown) && h('span.tag.layer', {}, layerOf(shown)),
        shown && h('span.tag', {}, `bucket ${get(shown, 'bucket')}`),
        origin && h('span.hint.mono', {title: 'Its source'}, breakable(origin)),
        plan && [h('span.grow'), h('a.button.plan', {href: plan}, 'Plan a change')]),
    secret && h('p.about', {}, REDACTED, ' So no plan begins with this text. Change the document at its source, or ',
        h('a.plan', {href: to.plan(workspace, {...id, layer: layerOf(shown)}, revision)}, 'paste all of it into a plan'), '.'),
    code?.element);
    code?.later();
  }

  function drawResult() {
    if (output === undefined) {
      const layer = shown && get(shown, 'document', 'metadata', 'layeringDefinition');
      const abstract = get(layer, 'abstract') === true;
      replace(result, h('header', {}, h('h2', {}, 'Rendered')),
          trouble ?? empty(abstract ? 'Abstract: it is not rendered itself.' : 'It is not part of the rendered set.',
              abstract ? 'Others layer on it.' : 'It is for other documents only, is replaced, or has a problem.'));
      return;
    }
    printed = new Code({
      label: `${name} rendered`, value: get(output, 'data') ?? null, onchoose: text => explain(text, true),
      mark: steps => marks.get(path(steps)) ?? null,
    });
    closed.push(printed);
    const form = schema === 'heat/ParameterSchema/v1' ? parameters(get(output, 'data'), {workspace, name, signal}) : null;
    const hint = h('span.hint', {hidden: form !== null}, 'choose a line (j, Enter): its origin');
    const marksOfLines = legend();
    marksOfLines.hidden = form !== null;
    const views = form && h('span.group', {role: 'group', 'aria-label': 'Show as'},
        ['Parameters', 'Text'].map((text, i) => h('button', {type: 'button', 'aria-pressed': String(i === 0), onclick: event => {
          [...event.target.parentNode.children].forEach(each => each.setAttribute('aria-pressed', String(each === event.target)));
          form.hidden = i === 1;
          [printed.element, hint, search, marksOfLines].forEach(each => {
            each.hidden = i === 0;
          });
          printed.later();
        }}, text)));
    const search = h('input.find', {type: 'search', placeholder: 'Find (/)', 'aria-label': 'Find in the rendered document', hidden: form !== null,
      oninput: () => found(false), onkeydown: event => {
        if (event.key === 'Enter') {
          found(true);
        } else if (event.key === 'ArrowDown') {
          event.preventDefault();
          printed.focus();
        }
      }});
    const found = isNext => search.setAttribute('aria-invalid', String(!printed.find(search.value, isNext) && search.value !== ''));
    replace(result, h('header', {}, h('h2', {}, 'Rendered'), views,
        hint, h('span.grow'), search,
        h('button', {type: 'button', onclick: event => copy(event.target, yaml(get(output, 'data') ?? null))}, 'Copy')), form, printed.element, marksOfLines);
    if (form) {
      printed.element.hidden = true;
    }
    printed.later();
  }

  let asked = null;
  async function explain(text, step) {
    const focus = document.activeElement;
    address({path: text}, step);
    asked?.abort();
    asked = new AbortController();
    printed?.select(text);
    side.hidden = false;
    replace(side, h('header', {}, h('h2', {}, 'Where it comes from'), h('span.grow'),
        h('button.quiet', {type: 'button', 'aria-label': 'Close', onclick: hide}, '✕')), h('div.scroll', {'aria-busy': 'true'}, h('p.mono', {}, text)));
    try {
      const answer = await askTree(route(workspace, 'explain', {schema, name, path: text, revision}), {signal: asked.signal});
      replace(side.lastChild, chain(workspace, answer, text, {revision}));
      side.lastChild.removeAttribute('aria-busy');
      printed?.reveal();
    } catch (failure) {
      if (!asked.signal.aborted) {
        replace(side.lastChild, h('p', {role: 'alert'}, failure.message));
      }
    }
    if (focus && !document.contains(focus)) {
      printed?.focus();
    }
  }

  function hide() {
    side.hidden = true;
    asked?.abort();
    address({path: ''});
    printed?.select(null);
    printed?.focus();
  }

  /* The origin of each value in a column next to it, loaded later. */
  async function mark() {
    const answer = await askTree(route(workspace, 'explain', {schema, name, revision}), {signal});
    marks = new Map((get(answer, 'items') ?? []).map(each => [get(each, 'path'), glyph(get(each, 'causes').find(cause => get(cause, 'won') === true), id)]));
    printed?.redraw();
  }

  let trouble = null;
  if (output === undefined) {
    const answer = plain(await askTree(route(workspace, 'problems', {schema, name, revision}), {signal}));
    if (answer.items.length > 0) {
      trouble = h('div.scroll', {}, h('div.page', {}, answer.items.map(each => problem(workspace, each))));
    }
  }

  root.append(h('div.bar', {}, h('h1', {}, name), h('span.muted', {}, schema), facts, h('span.grow'),
      h('a.button', {href: to.graph(workspace, {...id, layer: shown && layerOf(shown)}, {mode: 'near'})}, 'Graph'),
      h('a.button', {href: to.graph(workspace, {...id, layer: shown && layerOf(shown)}, {mode: 'reaches'})}, 'What it reaches')),
  h('div.panes', {}, source, result, side));
  drawSource();
  drawResult();
  signal.addEventListener('abort', () => {
    asked?.abort();
    closed.forEach(each => each?.close());
  });
  if (revision === null) {
    notice(workspace, signal, number, again);
  } else {
    append(facts, [h('span.tag.warn', {}, `revision ${revision}`)]);
  }
  graph(workspace, revision, signal).then(found => {
    const mine = found.items.filter(each => each.schema === schema && each.name === name);
    const labels = Object.entries(mine.at(-1)?.labels ?? {});
    append(facts, [mine.some(each => each.secret) && h('span.tag.warn', {}, 'secret'), ' ', labels.map(([key, value]) => [h('span.tag', {}, `${key}=${value}`), ' '])]);
    const owner = mine.find(each => each.derived)?.uses[0];
    if (owner) {
      append(facts, ['derived from ', documentLink(workspace, owner), ' ·']);
    }
    const derived = mine.flatMap(each => found.users.get(idOf(each)) ?? []).filter(each => each.reason === 'is derived from').map(each => each.item);
    if (output === undefined && derived.length > 0) {
      replace(result.lastChild, h('div.page', {}, h('h2', {}, `Derived from it: ${count(derived.length)}`),
          h('ul.depths', {}, derived.slice(0, MOST_DERIVED).map(each => h('li', {}, documentLink(workspace, each)))),
          derived.length > MOST_DERIVED && h('p.muted', {}, `and ${count(derived.length - MOST_DERIVED)} more`)));
      result.lastChild.className = 'scroll';
    }
    const users = new Set(mine.flatMap(each => found.users.get(idOf(each)) ?? []).map(each => idOf(each.item))).size;
    append(facts, [' ', h('span.muted', {}, users === 0 ? 'used by none' : `used by ${count(users)}`)]);
    if (!side.hidden) {
      printed?.reveal(); // the bar may have become one line taller
    }
  }, () => {});
  if (output !== undefined) {
    mark().catch(() => {});
    if (query.get('path')) {
      explain(query.get('path'), false);
    }
  }
  return {
    escape: () => side.hidden || hide(),
    update: next => {
      const text = next.get('path');
      if (text && printed) {
        explain(text, false);
      } else if (!side.hidden) {
        hide();
      }
    },
  };
}

function copy(button, text) {
  const done = word => {
    button.textContent = word;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1_500);
  };
  // Writing to the clipboard requires a secure context: https, or localhost.
  navigator.clipboard ? navigator.clipboard.writeText(text).then(() => done('Copied'), () => done('Not allowed')) : done('Not allowed here');
}
