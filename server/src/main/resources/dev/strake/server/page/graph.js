// The dependency graph: a few documents first, and more on demand.

import {download, h, replace} from './dom.js';
import {all, ask, route} from './api.js';
import {layout} from './layout.js';
import {notice} from './notice.js';
import {Picture, sample} from './picture.js';
import {EDGES, graph, idOf, reasonOf} from './store.js';
import {count, documentLink, empty, some, to} from './words.js';

const MODES = [
  ['overview', 'Overview', 'schemas of each layer; choose one to open it'],
  ['near', 'Neighbours', 'what it uses, and what uses it'],
  ['reaches', 'Reaches', 'what may change with it'],
  ['made', 'Made of', 'all that it is rendered from'],
  ['all', 'Everything', 'all documents'],
];

/** Larger graphs are laid out in a worker. */
const MOST_HERE = 300;

/** The most documents of one schema that are expanded individually. */
const MOST_OPENED = 400;

// The only script that the page runs as a worker; no other URL is accepted.
const scripts = globalThis.trustedTypes?.createPolicy('strake-worker', {
  createScriptURL: url => {
    if (url !== new URL('graph-worker.js', import.meta.url).href) {
      throw new TypeError('no script of the page');
    }
    return url;
  },
});

/* The options in an address; an unknown mode is replaced by the default. */
const modeOf = query => MODES.find(([name]) => name === query.get('mode'))?.[0] ?? (query.get('name') ? 'near' : 'overview');

const groups = query => new Set((query.get('open') ?? '').split(' ').filter(Boolean).map(decodeURIComponent));

let worker = null;
let asked = 0;

function place(what) {
  if (what.nodes.length <= MOST_HERE) {
    return Promise.resolve(layout(what));
  }
  const url = new URL('graph-worker.js', import.meta.url).href;
  worker ??= new Worker(scripts ? scripts.createScriptURL(url) : url, {type: 'module'});
  const number = ++asked;
  return new Promise((resolve, reject) => {
    const done = event => {
      if (event.data.number === number) {
        worker.removeEventListener('message', done);
        resolve(event.data.placed);
      }
    };
    worker.addEventListener('message', done);
    worker.addEventListener('error', reject, {once: true});
    worker.postMessage({number, what});
  });
}

export async function open({root, workspace, query, address, signal, title, again}) {
  title(`Graph of ${workspace}`);
  const revision = query.get('revision');
  const [found, {items: troubles}] = await Promise.all([
    graph(workspace, revision, signal), all(route(workspace, 'problems', {revision}), {signal})]);
  const problems = new Set(troubles.filter(each => each.document).map(each => idOf(each.document)));
  const laneNames = ['no layer', ...found.layers, 'derived'];
  const laneOf = item => item.derived ? laneNames.length - 1 : item.layer === null ? 0 : Math.max(0, laneNames.indexOf(item.layer));

  let mode = modeOf(query);
  let opened = groups(query);
  let chosen = find(query);
  let shown = null;
  const kinds = new Set(Object.keys(EDGES));
  kinds.delete('is checked by'); // every document has one; a click shows them

  const picture = new Picture({label: `Layer graph of ${workspace}`, onchoose: choose});
  const side = h('aside.pane.side', {'aria-label': 'The chosen document', hidden: true});
  const told = h('span', {role: 'status'});
  const modes = h('span.group', {role: 'group', 'aria-label': 'What is shown'}, MODES.map(([name, text, about]) => h('button', {
    type: 'button', title: about, 'data-mode': name, onclick: () => show(name, chosen),
  }, text)));
  const search = h('input', {type: 'search', list: 'graph-names', placeholder: 'Find a document', 'aria-label': 'Find a document'});
  const names = h('datalist', {id: 'graph-names'});
  const legend = h('div.graph-legend', {role: 'group', 'aria-label': 'Kinds of edges'}, Object.entries(EDGES).map(([kind, {title: text}]) => h('label', {},
      h('input', {type: 'checkbox', checked: kinds.has(kind), onchange: event => {
        event.target.checked ? kinds.add(kind) : kinds.delete(kind);
        draw();
      }}), sample(kind), text)), h('span.grow'), h('span', {}, 'dashed frame: abstract'));

  function find(parameters) {
    const [schema, name, layer] = ['schema', 'name', 'layer'].map(each => parameters.get(each));
    return name === null ? null : found.items.find(each => each.schema === schema && each.name === name && (layer === null || each.layer === layer))
      ?? null;
  }

  function choose(index) {
    const node = shown.nodes[index];
    if (node.group) {
      opened.has(node.group) ? opened.delete(node.group) : opened.add(node.group);
      address({open: [...opened].map(encodeURIComponent).join(' ')}, true);
      draw();
    } else {
      show(mode, node.item, true);
    }
  }

  function show(name, item, step = false) {
    mode = item === null && !['overview', 'all'].includes(name) ? 'overview' : name;
    chosen = item;
    address({mode: mode === 'overview' ? '' : mode, schema: item?.schema, name: item?.name, layer: item?.layer}, step);
    return draw();
  }

  const edgesOf = (items, inside) => items.flatMap(item => (item.uses ?? [])
      .filter(use => kinds.has(reasonOf(item, use)) && inside.has(idOf(use)))
      .map(use => [idOf(use), idOf(item), reasonOf(item, use)]));

  /* Groups the schemas of a layer into one node each, unless they are expanded or few. */
  function overview() {
    const groups = new Map();
    found.items.forEach(item => {
      const key = `${item.layer ?? (item.derived ? 'derived' : '')}|${item.schema}`;
      (groups.get(key) ?? groups.set(key, []).get(key)).push(item);
    });
    const nodes = [];
    const nodeOf = new Map();
    for (const [key, items] of groups) {
      if (items.length === 1 || (opened.has(key) && items.length <= MOST_OPENED)) {
        items.forEach(item => nodeOf.set(idOf(item), nodes.push(documentNode(item)) - 1));
      } else {
        const bad = items.filter(item => problems.has(idOf(item))).length;
        const node = nodes.push({group: key, lane: laneOf(items[0]), name: items[0].schema.replace(/\/v\d+$/, ''), sub: `${some(items.length, 'document')}${bad > 0 ? `, ${count(bad)} in trouble` : ''}`,
          kind: bad > 0 ? ['trouble'] : [], about: `${items[0].schema}, ${some(items.length, 'document')} of layer ${items[0].layer ?? 'none'}. Open it.`}) - 1;
        items.forEach(item => nodeOf.set(idOf(item), node));
      }
    }
    const edges = new Map();
    found.items.forEach(item => (item.uses ?? []).forEach(use => {
      const kind = reasonOf(item, use);
      const [from, until] = [nodeOf.get(idOf(use)), nodeOf.get(idOf(item))];
      if (kinds.has(kind) && from !== undefined && from !== until) {
        edges.set(`${from} ${until} ${kind}`, {from, to: until, kind});
      }
    }));
    return {nodes, edges: [...edges.values()]};
  }

  function documentNode(item) {
    const bad = problems.has(idOf(item));
    return {item, lane: laneOf(item), name: item.name, sub: item.schema, kind: [item.abstract && 'abstract', bad && 'trouble'].filter(Boolean),
      about: `${item.name}, ${item.schema}, ${item.layer === null ? 'no layer' : 'layer ' + item.layer}${item.abstract ? ', abstract' : ''}${bad ? ', in trouble' : ''}`};
  }

  function of(items, edges) {
    const nodes = items.map(documentNode);
    const position = new Map(items.map((item, i) => [idOf(item), i]));
    return {nodes, edges: edges.map(([from, until, kind]) => ({from: position.get(from), to: position.get(until), kind})).filter(each => each.from !== undefined && each.to !== undefined)};
  }

  function near() {
    const ids = new Set([idOf(chosen), ...(chosen.uses ?? []).filter(use => kinds.has(reasonOf(chosen, use))).map(idOf),
      ...(found.users.get(idOf(chosen)) ?? []).filter(use => kinds.has(use.reason)).map(use => idOf(use.item))]);
    const items = [...ids].map(id => found.byId.get(id)).filter(Boolean);
    return of(items, edgesOf(items, ids).filter(([from, until]) => from === idOf(chosen) || until === idOf(chosen)));
  }

  function made() {
    const ids = new Map([[idOf(chosen), 0]]);
    const open = [chosen];
    while (open.length > 0) {
      const item = open.shift();
      (item.uses ?? []).filter(use => kinds.has(reasonOf(item, use))).forEach(use => {
        const next = found.byId.get(idOf(use));
        if (next && !ids.has(idOf(next))) {
          ids.set(idOf(next), ids.get(idOf(item)) + 1);
          open.push(next);
        }
      });
    }
    const items = [...ids.keys()].map(id => found.byId.get(id));
    return {...of(items, edgesOf(items, ids)), depths: ids};
  }

  /* Uses the service's calculation, which knows the used and overridden values. */
  async function reaches() {
    const answer = await ask(route(workspace, 'affected', {schema: chosen.schema, name: chosen.name, layer: chosen.layer, revision}), {signal});
    const ids = new Map([[idOf(answer.document), 0], ...answer.dependents.map(each => [idOf(each.document), each.depth])]);
    const items = [...ids.keys()].map(id => found.byId.get(id)).filter(Boolean);
    const edges = answer.edges.filter(each => found.byId.has(idOf(each.to))).map(each => [idOf(each.from), idOf(each.to),
      reasonOf(found.byId.get(idOf(each.to)), {...each.from, reason: each.reason})]).filter(([, , kind]) => kinds.has(kind));
    return {...of(items, edges), depths: ids, complete: answer.complete, dependents: answer.dependents};
  }

  async function make() {
    if (mode === 'all') {
      return of(found.items, edgesOf(found.items, found.byId));
    } else if (mode === 'overview' || chosen === null) {
      return overview();
    }
    return mode === 'near' ? near() : mode === 'made' ? made() : reaches();
  }

  let turn = 0;
  async function draw(isNew = true) {
    const mine = ++turn;
    modes.querySelectorAll('button').forEach(each => {
      each.setAttribute('aria-pressed', String(each.dataset.mode === mode));
      each.disabled = chosen === null && !['overview', 'all'].includes(each.dataset.mode);
    });
    replace(told, 'Placing documents …');
    try {
      const next = await make();
      const order = next.nodes.map((node, i) => [`${node.item?.schema ?? node.name} ${node.name}`, i]).sort((a, b) => a[0] < b[0] ? -1 : 1);
      order.forEach(([, i], nth) => {
        next.nodes[i].order = nth;
      });
      const placed = await place({nodes: next.nodes.map(({lane, order: nth}) => ({lane, order: nth})), edges: next.edges.map(each => [each.from, each.to]), lanes: laneNames});
      if (mine !== turn || signal.aborted) {
        return;
      }
      shown = next;
      picture.set(shown, placed, isNew);
      const index = chosen === null ? -1 : shown.nodes.findIndex(node => node.item && idOf(node.item) === idOf(chosen));
      picture.choose(index < 0 ? null : index, mode === 'all' || mode === 'overview');
      const groups = shown.nodes.filter(node => node.group).length;
      replace(told, groups > 0 ? `${some(found.items.length, 'document')} in ${some(shown.nodes.length, 'node')}` : `${some(shown.nodes.length, 'document')}, ${some(shown.edges.length, 'edge')}`,
          shown.complete === false ? '; there are more than fit' : '');
      panel();
    } catch (failure) {
      if (!signal.aborted && mine === turn) {
        replace(told, failure.message);
      }
    }
  }

  function panel() {
    side.hidden = chosen === null;
    if (chosen === null) {
      return;
    }
    const item = chosen;
    const users = found.users.get(idOf(item)) ?? [];
    const pick = other => h('a.document', {href: to.graph(workspace, other, {mode}), onclick: event => {
      event.preventDefault();
      show(mode, found.byId.get(idOf(other)) ?? item, true);
    }}, h('span.name', {}, other.name), ' ', h('span.schema', {}, other.schema));
    const list = (uses, most = 60) => Object.entries(EDGES).map(([kind, {title: text}]) => {
      const mine = uses.filter(each => each.kind === kind);
      return mine.length > 0 && [h('h3', {}, `${text} (${count(mine.length)})`), h('ul.depths', {}, mine.slice(0, most).map(each => h('li', {}, each.missing ? [h('span.bad', {}, 'missing: '), each.name] : pick(each))),
          mine.length > most && h('li.hint', {}, `and ${count(mine.length - most)} more`))];
    });
    const byDepth = shown.depths && [...new Set(shown.depths.values())].sort((a, b) => a - b).filter(depth => depth > 0).map(depth => {
      const ids = [...shown.depths].filter(([, each]) => each === depth).map(([id]) => id);
      return [h('h3', {}, `${depth === 1 ? 'directly' : `${depth} steps away`} (${count(ids.length)})`), h('ul.depths', {}, ids.slice(0, 60).map(id => {
        const dependent = shown.dependents?.find(each => idOf(each.document) === id);
        return h('li', {}, found.byId.has(id) ? pick(found.byId.get(id)) : id.split('\n')[2],
            dependent && h('span.hint', {}, `${reasonOf(found.byId.get(id) ?? dependent.document, {...dependent.from, reason: dependent.reason})} ${dependent.from.name}${dependent.used === '.' ? '' : ' ' + dependent.used}`));
      }), ids.length > 60 && h('li.hint', {}, `and ${count(ids.length - 60)} more`))];
    });
    replace(side, h('header', {}, h('h2', {}, item.name), h('span.grow'), h('button.quiet', {type: 'button', 'aria-label': 'Close', onclick: () => show('overview', null)}, '✕')),
        h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': `About ${item.name}`},
            h('p', {}, documentLink(workspace, item, {layer: item.layer, revision}), ' ', item.layer && h('span.tag.layer', {}, item.layer), ' ', item.abstract && h('span.tag', {}, 'abstract'), ' ', item.secret && h('span.tag.warn', {}, 'secret')),
            h('p', {}, h('a.button', {href: to.document(workspace, item, {layer: item.layer, revision})}, 'Open the document')),
            mode === 'reaches' || mode === 'made'
              ? [h('h2', {}, mode === 'made' ? 'Made of, by depth' : 'Reaches, by depth'), shown.nodes.length <= 1 ? h('p.muted', {}, 'Nothing.') : byDepth]
              : [h('h2', {}, `Uses ${count((item.uses ?? []).length)}`), list((item.uses ?? []).map(use => ({...use, kind: reasonOf(item, use)}))),
                h('h2', {}, `Used by ${count(users.length)}`), list(users.map(use => ({...use.item, kind: use.reason})))]));
  }

  search.addEventListener('input', () => {
    const text = search.value.toLowerCase();
    const exact = found.items.find(item => `${item.schema}/${item.name}` === search.value);
    if (exact) {
      search.value = '';
      replace(names);
      show(mode === 'overview' ? 'near' : mode, exact, true);
      return;
    }
    replace(names, text.length < 2 ? [] : found.items.filter(item => item.name.toLowerCase().includes(text)).slice(0, 20).map(item => h('option', {value: `${item.schema}/${item.name}`}, item.layer ?? '')));
  });
  search.addEventListener('keydown', event => {
    if (event.key === 'Enter') {
      const text = search.value.toLowerCase();
      const item = found.items.find(each => each.name.toLowerCase() === text) ?? found.items.find(each => each.name.toLowerCase().includes(text));
      if (item) {
        search.value = '';
        show(mode === 'overview' ? 'near' : mode, item, true);
      }
    }
  });

  root.append(h('div.bar', {}, h('h1', {}, 'Graph'), modes, search, names, told, h('span.grow'),
      h('span.group', {role: 'group', 'aria-label': 'Size'},
          h('button', {type: 'button', 'aria-label': 'Smaller', onclick: () => picture.scale(picture.zoom / 1.25)}, '−'),
          h('button', {type: 'button', 'aria-label': 'Larger', onclick: () => picture.scale(picture.zoom * 1.25)}, '+')),
      h('button', {type: 'button', onclick: () => download(`${workspace}-${mode}.svg`, 'image/svg+xml', picture.file())}, 'Download SVG')),
  found.items.length === 0 ? empty('There is no document.') : h('div.panes', {}, picture.element, side), legend);
  signal.addEventListener('abort', () => picture.close());
  if (revision === null) {
    notice(workspace, signal, found.revision, again);
  }
  await draw();
  return {
    escape: () => chosen !== null && show('overview', null),
    update: next => {
      mode = modeOf(next);
      chosen = find(next);
      opened = groups(next);
      draw();
    },
  };
}
