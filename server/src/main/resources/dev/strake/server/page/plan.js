// What a change would do: of documents that are pasted or dropped, and of going back to a revision. Then it can be made.

import {h, replace} from './dom.js';
import {ask, askTree, route} from './api.js';
import {differences} from './differences.js';
import {locate} from './places.js';
import {problem} from './problems.js';
import {publishing} from './publishing.js';
import {get, plain} from './tree.js';
import {count, effectBar, empty, some, status, to} from './words.js';

const TYPES = [
  ['dev.strake.documents.put', 'add or replace these documents'],
  ['dev.strake.bucket.put', 'this is the whole bucket: remove what is not here'],
];
const DRAFT = 'strake-draft ';
const MOST_DRAFT = 1 << 20;

/* What another view wants planned. Not kept beside the draft: it may have secrets, and nobody has typed it here. */
let handed = null;

/** Goes to the plan of a change: its `text`, the `bucket` it is for, and the `origin` of what it changes. */
export function planning(workspace, change) {
  handed = {workspace, ...change};
  location.hash = `${to.view(workspace, 'plan')}?${new URLSearchParams({bucket: change.bucket})}`;
}

export async function open(context) {
  return context.rollback === undefined ? ofDocuments(context) : ofRollback(context);
}

async function ofDocuments({root, workspace, query, address, signal, title}) {
  const change = handed?.workspace === workspace ? handed : null;
  handed = null;
  title(`Plan for ${workspace}`);
  const buckets = await ask(route(workspace, 'buckets'), {signal}).then(answer => answer.items.map(each => each.bucket), failure => {
    if (failure.code === 'WorkspaceNotFound') {
      return []; // the first change of a workspace may be planned, too
    }
    throw failure;
  });
  const text = h('textarea', {'aria-label': 'Documents, as YAML or JSON', spellcheck: 'false', autocapitalize: 'off', wrap: 'off',
    placeholder: 'Paste documents here, or drop files.\n\nNothing is changed yet: this shows what would come of them.'});
  text.value = [sessionStorage.getItem(DRAFT + workspace)?.trimEnd(), change?.text].filter(Boolean).join('\n---\n');
  const numbers = h('div.numbers', {'aria-hidden': 'true'});
  const editor = h('div.editor', {}, numbers, text);
  const bucket = h('input', {size: 14, list: 'buckets', 'aria-label': 'Bucket', value: query.get('bucket') ?? buckets[0] ?? 'default'});
  const type = h('select', {'aria-label': 'What they are'}, TYPES.map(([value, words]) => h('option', {value, selected: query.get('type') === value}, words)));
  const result = h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'What it would do', 'aria-live': 'polite'},
      empty('Nothing is planned yet.', 'Paste documents, and choose Plan.'));
  const run = h('button.primary', {type: 'button', onclick: () => plan()}, 'Plan');
  let lines = 0;
  let bad = new Set();
  let publish = null;

  function number() {
    const now = text.value.split('\n').length;
    if (now !== lines) {
      lines = now;
      replace(numbers, Array.from({length: Math.min(lines, 20_000)}, (_, i) => h('div', {class: bad.has(i) ? 'bad' : null}, i + 1)));
    }
    numbers.scrollTop = text.scrollTop;
  }

  function go(line) {
    const all = text.value.split('\n');
    const start = all.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    text.focus();
    text.setSelectionRange(start, start + (all[line]?.length ?? 0));
    text.scrollTop = Math.max(0, line * 20 - text.clientHeight / 2);
  }

  const atLine = each => {
    const said = /\bline (\d+)/.exec(each.message)?.[1];
    const line = each.document ? locate(text.value, each.document, each.path) : said ? Number(said) - 1 : null;
    return line;
  };

  /* Only what was planned may be published. */
  function differs() {
    publish?.replaceWith(h('p.hint', {}, 'Edited since. Plan it again to publish it.'));
    publish = null;
  }

  /* The request that makes what is planned. */
  function request() {
    const isBucket = type.value === 'dev.strake.bucket.put';
    const path = `buckets/${encodeURIComponent(bucket.value)}${isBucket ? '' : '/documents'}`;
    const isJson = /^\s*[{[]/.test(text.value);
    return {method: isBucket ? 'PUT' : 'POST', path, body: text.value, type: isJson ? 'application/json' : 'application/x-yaml'};
  }

  async function plan() {
    run.disabled = true;
    publish = null;
    const send = request();
    result.setAttribute('aria-busy', 'true');
    address({bucket: bucket.value, type: type.value === TYPES[0][0] ? '' : type.value});
    try {
      const answer = await askTree(route(workspace, 'plan', {bucket: bucket.value, type: type.value}), {
        method: 'POST', body: send.body, headers: {'Content-Type': send.type}, signal,
      });
      const found = [...plain(get(answer, 'problems') ?? []), ...plain(get(answer, 'appearing') ?? [])];
      bad = new Set(found.map(atLine).filter(line => line !== null));
      lines = 0;
      number();
      publish = form(workspace, answer, send, 'Publish', () => {
        sessionStorage.removeItem(DRAFT + workspace);
        publish = null; // what became of it stays, whatever is typed now
      });
      replace(result, outcome(workspace, answer, each => {
        const line = atLine(each);
        return line === null ? null : h('button', {type: 'button', onclick: () => go(line)}, `line ${line + 1}`);
      }, change?.origin && h('p.hint', {}, 'Its author keeps it in ', h('span.mono', {}, change.origin), '. Make this change there, too, or the next publication from there undoes it.'), publish));
      if (send.body !== text.value) {
        differs(); // somebody went on typing
      }
    } catch (failure) {
      replace(result, h('div.page', {role: 'alert'}, h('div.problem', {}, h('strong', {}, failure.code ?? 'Failed'), h('p.message', {}, failure.message))));
    } finally {
      run.disabled = false;
      result.removeAttribute('aria-busy');
    }
  }

  [text, bucket, type].forEach(each => each.addEventListener('input', differs));
  text.addEventListener('input', () => {
    number();
    if (text.value.length < MOST_DRAFT) {
      sessionStorage.setItem(DRAFT + workspace, text.value);
    }
  });
  text.addEventListener('scroll', () => {
    numbers.scrollTop = text.scrollTop;
  }, {passive: true});
  text.addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      plan();
    }
  });
  for (const name of ['dragover', 'dragleave', 'drop']) {
    editor.addEventListener(name, async event => {
      event.preventDefault();
      editor.classList.toggle('over', name === 'dragover');
      if (name === 'drop' && event.dataTransfer.files.length > 0) {
        const files = [...event.dataTransfer.files].sort((a, b) => a.name < b.name ? -1 : 1);
        const parts = await Promise.all(files.map(file => file.text()));
        text.value = parts.map(each => each.replace(/^---\s*\n/, '').trimEnd()).join('\n---\n') + '\n';
        text.dispatchEvent(new Event('input'));
      }
    });
  }
  root.append(h('div.bar', {}, h('h1', {}, 'Plan'), h('label.inline', {}, 'Bucket', bucket), h('datalist', {id: 'buckets'}, buckets.map(each => h('option', {value: each}))),
      type, run, h('span.hint.wide', {}, 'Ctrl+Enter'), h('span.grow'), h('span.hint', {}, 'nothing is changed before you publish')),
  h('div.panes', {}, h('div.pane', {}, editor), h('div.pane', {}, result)));
  number();
  return {shown: () => change ? plan() : text.value === '' && text.focus()};
}

async function ofRollback({root, workspace, rollback, signal, title}) {
  title(`Roll back ${workspace}`);
  const revision = Number(rollback);
  const send = {method: 'POST', path: 'rollback', body: JSON.stringify({revision}), type: 'application/json'};
  const answer = await askTree(route(workspace, 'plan', {type: 'dev.strake.revision.rollback'}), {
    method: 'POST', body: send.body, headers: {'Content-Type': send.type}, signal,
  });
  root.append(h('div.bar', {}, h('h1', {}, `Roll back to revision ${count(revision)}`), h('span.grow'), h('a.button', {href: to.compare(workspace, rollback, 'head')}, 'What came since')),
      h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'What it would do'}, outcome(workspace, answer, () => null,
          h('p', {}, 'A new revision gets the documents of that one. At a shell: ', h('code', {}, `strake rollback -w ${workspace} ${revision}`)),
          form(workspace, answer, send, 'Roll back'))));
}

/* The form that makes what was planned; null where nothing would come of it. */
function form(workspace, answer, send, verb, done) {
  const {wouldBe, head, documents = {}} = plain(new Map(['wouldBe', 'head', 'documents'].map(name => [name, get(answer, name)])));
  return wouldBe === 'rejected' || wouldBe === 'unchanged' ? null : publishing({
    workspace, head, send, done, button: documents.removed > 0 ? `${verb}, and remove ${some(documents.removed, 'document')}` : verb,
  });
}

/** What a plan says. */
export function outcome(workspace, answer, line, ...more) {
  const {problems = [], warnings = [], appearing = [], vanishing = []} = Object.fromEntries(
      ['problems', 'warnings', 'appearing', 'vanishing'].map(name => [name, plain(get(answer, name) ?? [])]));
  const result = plain(new Map(['status', 'wouldBe', 'documents', 'affected', 'evaluated', 'emitted', 'removed', 'cutOff', 'rendered', 'revision', 'complete']
      .map(name => [name, get(answer, name)])));
  const list = get(answer, 'differences') ?? [];
  const {added = 0, changed = 0, removed = 0} = result.documents ?? {};
  const verdict = result.wouldBe ?? result.status;
  const section = (title, items, isWarning) => items.length > 0 && [h('h2', {}, `${title} (${count(items.length)})`), items.map(each => problem(workspace, each, {isWarning, line: line(each)}))];
  return h('div.page', {},
      h('p', {}, 'It would be ', status(verdict), '. ', [[added, 'added'], [changed, 'changed'], [removed, 'removed']].filter(([number]) => number > 0)
          .map(([number, word]) => `${count(number)} ${word}`).join(', ') || (verdict === 'rejected' ? 'Nothing would change.' : 'No document differs.')),
      verdict !== 'rejected' && h('div.figures', {role: 'group', 'aria-label': 'What it would reach'}, [['affected', result.affected], ['evaluated', result.evaluated], ['cut off', result.cutOff], ['emitted', result.emitted], ['removed', result.removed]]
          .filter(([, number]) => number !== undefined).map(([title, number]) => h('dl', {}, h('div', {}, h('dt', {}, title), h('dd', {}, count(number))))), effectBar(result, result.affected)),
      more,
      section('Problems', problems, false), section('Problems that would appear', appearing, false), section('Warnings', warnings, true),
      vanishing.length > 0 && [h('h2', {}, `Problems that would vanish (${count(vanishing.length)})`), h('ul', {}, vanishing.map(each => h('li', {}, each.code, ' ', each.document?.name)))],
      verdict !== 'rejected' && h('h2', {}, list.length === 0 ? 'No rendered document would differ' : `Rendered documents that would differ (${count(list.length)})`),
      result.complete === false && h('p.warn', {}, 'Of some documents it is not said how they differ: there is more than fits, or what consumers have was made before the head failed.'),
      differences(workspace, list, {}));
}
