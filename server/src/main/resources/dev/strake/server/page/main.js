// The frame around all views: addresses, the top bar, keyboard shortcuts, the connection, and the token dialog.

import {h, replace} from './dom.js';
import {ask, connection, Refusal, route, token} from './api.js';
import {live} from './live.js';
import {count, countOf, duration, empty, MADE, MOST_IN_OUTCOME, MOST_PROBLEMS, to} from './words.js';

const VIEWS = [
  ['activity', 'Activity', 'a'],
  ['documents', 'Documents', 'd'],
  ['graph', 'Graph', 'g'],
  ['history', 'History', 'h'],
  ['problems', 'Problems', 'p'],
  ['plan', 'Plan', 'n'],
];

/** The module of each view, and the tab that it belongs to. */
const ROUTES = [
  [/^\/$/, () => import('./workspaces.js'), [], null],
  [/^\/problem\/([^/]+)$/, () => import('./problems.js'), ['code'], null],
  [/^\/w\/([^/]+)\/?$/, () => import('./activity.js'), ['workspace'], 'activity'],
  [/^\/w\/([^/]+)\/activity$/, () => import('./activity.js'), ['workspace'], 'activity'],
  [/^\/w\/([^/]+)\/documents$/, () => import('./documents.js'), ['workspace'], 'documents'],
  // A schema has three parts. Its slashes, and those of the name, may be unescaped.
  [/^\/w\/([^/]+)\/document\/([^/]*%2F[^/]*|[^/]+\/[^/]+\/[^/]+)\/(.+)$/i, () => import('./document.js'), ['workspace', 'schema', 'name'], 'documents'],
  [/^\/w\/([^/]+)\/graph$/, () => import('./graph.js'), ['workspace'], 'graph'],
  [/^\/w\/([^/]+)\/history$/, () => import('./history.js'), ['workspace'], 'history'],
  [/^\/w\/([^/]+)\/compare\/([^/]+)\/([^/]+)$/, () => import('./compare.js'), ['workspace', 'from', 'to'], 'history'],
  [/^\/w\/([^/]+)\/validations$/, () => import('./validations.js'), ['workspace'], 'history'],
  [/^\/w\/([^/]+)\/problems$/, () => import('./problems.js'), ['workspace'], 'problems'],
  [/^\/w\/([^/]+)\/problem\/([^/]+)$/, () => import('./problems.js'), ['workspace', 'code'], 'problems'],
  [/^\/w\/([^/]+)\/plan$/, () => import('./plan.js'), ['workspace'], 'plan'],
  [/^\/w\/([^/]+)\/rollback\/([^/]+)$/, () => import('./plan.js'), ['workspace', 'rollback'], 'history'],
];

const main = document.getElementById('main');
const crumbs = document.getElementById('crumbs');
const tabs = document.getElementById('tabs');
const notice = document.getElementById('notice');
const dialog = document.getElementById('dialog');

let shown = null;

/** Parses the address: the route, its parts, and its parameters. */
function target() {
  const [path, query = ''] = (location.hash.slice(1) || '/').split('?', 2);
  for (const [pattern, module, names, tab] of ROUTES) {
    const found = pattern.exec(path);
    if (found) {
      try {
        const parts = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1])]));
        return {path, module, parts, tab, query: new URLSearchParams(query)};
      } catch {
        return null; // an invalid percent-encoding
      }
    }
  }
  return null;
}

async function open() {
  const next = target();
  if (shown && next && shown.path === next.path && shown.view?.update) {
    shown.view.update(next.query);
    return;
  }
  shown?.leave.abort(new DOMException('another view', 'AbortError'));
  const leave = new AbortController();
  const mine = shown = {path: next?.path, leave, view: null};
  notice.hidden = true;
  frame(next);
  if (!next) {
    replace(main, empty('There is no such view.', h('a', {href: '#/'}, 'All workspaces')));
    return;
  }
  main.setAttribute('aria-busy', 'true');
  try {
    const module = await next.module().catch(unreachable);
    const root = h('div.view');
    const view = await module.open({
      ...next.parts,
      parts: next.parts,
      query: next.query,
      root,
      signal: leave.signal,
      title: text => {
        document.title = `${text} · Strake`;
      },
      /* Changes parameters of the address; adds a history entry only if requested. */
      address: (changes, step = false) => {
        const query = new URLSearchParams(target()?.query ?? '');
        Object.entries(changes).forEach(([name, value]) => value ? query.set(name, value) : query.delete(name));
        const hash = `#${mine.path}${query.size > 0 ? '?' + query : ''}`;
        history[step ? 'pushState' : 'replaceState'](null, '', hash);
        return query;
      },
      again: () => {
        shown = null;
        open();
      },
    });
    if (mine !== shown) {
      return;
    }
    mine.view = view ?? {};
    replace(main, root);
    mine.view.shown?.();
    countProblems(next.parts.workspace);
    requestAnimationFrame(() => performance.mark('view')); // for measurements
  } catch (failure) {
    if (mine === shown && !leave.signal.aborted) {
      tell(failure);
    }
  } finally {
    if (mine === shown) {
      main.removeAttribute('aria-busy');
    }
  }
}

/* A script of the page failed to load: like other failed requests, this means a lost connection. */
function unreachable(failure) {
  if (!(failure instanceof TypeError)) {
    throw failure;
  }
  connection.lost();
  throw new Refusal(0, 'Unreachable', 'Strake does not answer, and this view was not loaded before.');
}

function tell(failure) {
  replace(main, h('div.view', {}, h('div.empty', {role: 'alert'},
      h('p.title', {}, failure.code === 'Unreachable' ? 'Strake does not answer.' : failure.code ?? 'This view failed.'),
      h('p', {}, failure.message),
      h('p', {}, h('button', {type: 'button', onclick: () => {
        shown = null;
        open();
      }}, 'Try again')))));
}

function frame(next) {
  const workspace = next?.parts.workspace;
  replace(crumbs, workspace === undefined
      ? h('a', {href: '#/', 'aria-current': next?.path === '/' ? 'page' : null}, 'Workspaces')
      : [h('a', {href: '#/'}, 'Workspaces'), h('span.slash', {'aria-hidden': 'true'}, '/'), h('strong', {title: workspace}, workspace)]);
  tabs.hidden = workspace === undefined;
  replace(tabs, workspace !== undefined && VIEWS.map(([view, title]) => h('a', {href: to.view(workspace, view), 'aria-current': next.tab === view ? 'page' : null}, title,
    view === 'problems' && h('span.count', {hidden: true}))));
  tellProblems(workspace);
  document.title = `${workspace ?? 'Workspaces'} · Strake`;
  tabs.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest', inline: 'nearest'});
}

// How many problems the workspace has, at its tab

const troubles = new Map();

async function countProblems(workspace) {
  if (workspace === undefined || troubles.has(workspace)) {
    return;
  }
  try {
    const {problems = 0, waiting = 0} = await ask(route(workspace, 'problems', {limit: 1}));
    troubles.set(workspace, problems >= MOST_PROBLEMS ? `${count(Math.max(1, problems - waiting))}+` : count(problems - waiting));
    tellProblems(workspace);
  } catch {
    // The current view reports the error; the next view requests again.
  }
}

function tellProblems(workspace) {
  const number = troubles.get(workspace) ?? '0';
  const element = tabs.querySelector('.count');
  if (element && target()?.parts.workspace === workspace) {
    element.hidden = number === '0';
    replace(element, number, h('span.visually-hidden', {}, number === '1' ? ' problem' : ' problems'));
  }
  tellCut();
  tabs.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest', inline: 'nearest'});
}

live.follow(null, new AbortController().signal, ({workspace, status, problems}) => {
  if (MADE.includes(status) && troubles.delete(workspace)) {
    if (problems.length < MOST_IN_OUTCOME) {
      troubles.set(workspace, count(countOf(problems).problems));
      tellProblems(workspace);
    } else if (target()?.parts.workspace === workspace) {
      countProblems(workspace);
    }
  }
});
live.addEventListener('gap', () => troubles.clear());

/* If not all tabs fit, a faded side indicates more. */
function tellCut() {
  tabs.classList.toggle('more-before', tabs.scrollLeft > 1);
  tabs.classList.toggle('more-after', tabs.scrollLeft + tabs.clientWidth < tabs.scrollWidth - 1);
}

tabs.addEventListener('scroll', tellCut, {passive: true});
new ResizeObserver(tellCut).observe(tabs);

// The connection

function tellConnection() {
  const element = document.getElementById('connection');
  const lost = connection.state === 'lost' || live.state === 'lost';
  const state = lost ? 'lost' : live.state;
  const since = duration(Math.max(1_000, Date.now() - Math.max(connection.heard, live.heard)));
  const text = {
    live: 'Live',
    connecting: 'Connecting',
    lost: `Disconnected: as of ${since} ago`,
    idle: `As of ${since} ago`,
  }[state];
  if (element.textContent !== text) {
    element.className = `connection ${state}`;
    replace(element, h('span.mark', {'aria-hidden': 'true'}, lost ? '✕' : '●'), text);
  }
  document.body.classList.toggle('stale', lost);
}

connection.addEventListener('change', tellConnection);
live.addEventListener('state', tellConnection);
setInterval(tellConnection, 1_000);

// The token

connection.addEventListener('token', event => {
  if (dialog.open) {
    return;
  }
  const input = h('input', {type: 'password', id: 'token', autocomplete: 'off', spellcheck: 'false', required: true});
  const form = h('form', {onsubmit: submitted => {
    submitted.preventDefault();
    token.set(input.value.trim());
    dialog.close();
    live.restart();
    shown = null;
    open();
  }},
  h('h2', {id: 'dialog-title'}, 'A token is needed'),
  h('p', {}, token.get() ? event.detail.message : 'Enter your Strake token. It is kept until you close this tab.'),
  h('label', {for: 'token'}, 'Token'),
  input,
  h('p.actions', {}, h('button.primary', {type: 'submit'}, 'Continue')));
  replace(dialog, form);
  dialog.showModal();
  input.focus();
});

// Keys

const KEYS = [
  ['?', 'these shortcuts'],
  ['/', 'search in this view'],
  ['w', 'all workspaces'],
  ...VIEWS.map(([, title, key]) => [key, `${title} of the workspace`]),
  ['e', 'plan a change of this document'],
  ['r', 'read this view again'],
  ['j k ↓ ↑', 'next and previous row or line'],
  ['← →', 'between source and rendered document'],
  ['Enter', 'open a row, explain a line'],
  ['Esc', 'close what is open beside the view'],
];

function help() {
  replace(dialog, h('h2', {id: 'dialog-title'}, 'Keyboard'),
      h('dl.keys', {}, KEYS.map(([key, what]) => [
        h('dt', {}, key.split(' ').map(each => h('kbd', {}, each))), h('dd', {}, what)])),
      h('p.actions', {}, h('button', {type: 'button', onclick: () => dialog.close()}, 'Close')));
  dialog.showModal();
}

document.getElementById('keys').addEventListener('click', help);
document.getElementById('skip').addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) {
    return;
  }
  if (event.key === 'Escape') {
    if (event.target.matches('input, textarea, select')) {
      event.target.blur();
    }
    shown?.view?.escape?.();
    return;
  }
  if (event.target.matches('input, textarea, select')) {
    return;
  }
  const workspace = target()?.parts.workspace;
  const view = VIEWS.find(([, , key]) => key === event.key);
  if (event.key === '?') {
    help();
  } else if (event.key === '/') {
    main.querySelector('input[type=search]')?.focus();
  } else if (event.key === 'w') {
    location.hash = '#/';
  } else if (event.key === 'e') {
    main.querySelector('a.plan')?.click();
  } else if (event.key === 'r') {
    shown = null;
    open();
  } else if (view && workspace !== undefined) {
    location.hash = to.view(workspace, view[0]);
  } else if (['ArrowDown', 'j'].includes(event.key) && !main.contains(document.activeElement.closest('.rows, .code, .graph'))) {
    ['.rows a[tabindex="0"]', '.code.explained [tabindex="0"]', '.code [tabindex="0"]'].map(each => main.querySelector(each)).find(each => each?.checkVisibility())?.focus();
  } else {
    return;
  }
  event.preventDefault();
});

window.addEventListener('hashchange', open);
live.start();
tellConnection();
open().then(() => ROUTES.forEach(([, module]) => module().catch(() => {}))); // preloads the other views when idle
