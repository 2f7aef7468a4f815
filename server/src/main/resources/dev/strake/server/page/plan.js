// Previews a change: pasted or dropped documents, or a rollback. Afterwards the user can publish it.

import {h, replace} from './dom.js';
import {ask, askTree, route} from './api.js';
import {differences} from './differences.js';
import {draftOf, drafts} from './draft.js';
import {locate} from './places.js';
import {causesOf, problem} from './problems.js';
import {publishing} from './publishing.js';
import {get, plain} from './tree.js';
import {count, counted, countOf, documentLink, effectBar, empty, MADE, some, status, to} from './words.js';

const TYPES = [
  ['dev.strake.documents.put', 'add or replace these documents'],
  ['dev.strake.bucket.put', 'this is the whole bucket: remove what is not here'],
];
const MOST_OPEN = 3;

/* The change that another view passes on. Not stored like a draft: it may contain secrets that no user typed here. */
let handed = null;

/** Opens the plan of a change: its `text`, its `bucket`, and the `origin` of the documents. */
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
      return []; // the first change of a workspace can be planned, too
    }
    throw failure;
  });
  const draft = change ? null : await draftOf({workspace, query, signal, restart: begun => {
    text.value = begun;
    text.dispatchEvent(new Event('input'));
    text.focus();
  }});
  const text = h('textarea', {'aria-label': 'Documents, as YAML or JSON', spellcheck: 'false', autocapitalize: 'off', wrap: 'off',
    placeholder: 'Paste documents here, or drop files.\n\nNothing is changed yet: the plan shows what they would do.'});
  text.value = draft ? draft.text : [drafts.get(workspace)?.trimEnd(), change?.text].filter(Boolean).join('\n---\n');
  const numbers = h('div.numbers', {'aria-hidden': 'true'});
  const editor = h('div.editor', {}, numbers, text);
  const bucket = h('input', {size: 14, list: 'buckets', 'aria-label': 'Bucket', value: query.get('bucket') ?? draft?.bucket ?? buckets[0] ?? 'default'});
  const type = h('select', {'aria-label': 'What they are'}, TYPES.map(([value, words]) => h('option', {value, selected: query.get('type') === value}, words)));
  const result = h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'What it would do', 'aria-live': 'polite'},
      draft?.refusal ? h('div.page', {}, h('p.warn', {}, draft.refusal)) : empty('Nothing is planned yet.', draft ? 'Change the text, and choose Plan.' : 'Paste documents, and choose Plan.'));
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

  /* Only a planned change can be published. */
  function differs() {
    publish?.replaceWith(h('p.hint', {}, 'The text was edited. Plan it again before you publish.'));
    publish = null;
  }

  /* The request that publishes the planned change. */
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
      draft?.check().catch(() => {}); // a failure is ignored: the check only adds a warning
      const found = [...plain(get(answer, 'problems') ?? []), ...plain(get(answer, 'appearing') ?? [])];
      bad = new Set(found.map(atLine).filter(line => line !== null));
      lines = 0;
      number();
      const from = change?.origin ?? draft?.origin;
      const origin = from && h('p.hint', {}, 'Its source is ', h('span.mono', {}, from), '. Make this change there, too, or the next publication from there undoes it.');
      const show = made => replace(result, outcome(workspace, answer, {made, more: [origin, asked], line: each => {
        const at = atLine(each);
        return at === null ? null : h('button', {type: 'button', onclick: () => go(at)}, `line ${at + 1}`);
      }}));
      const asked = form(workspace, answer, send, 'Publish', made => {
        draft ? draft.made().catch(() => {}) : drafts.forget(workspace);
        publish = null; // the result stays, even if the user edits the text
        show(made);
      });
      publish = asked;
      show(null);
      result.closest('.pane').scrollIntoView({block: 'nearest'}); // on a phone, it is below the text
      if (send.body !== text.value) {
        differs(); // the user has edited the text meanwhile
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
    draft ? draft.keep(text.value) : drafts.set(workspace, text.value);
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
  h('div.panes', {}, h('div.pane', {}, draft?.about, editor), h('div.pane', {}, result)));
  number();
  return {shown: () => {
    if (change) {
      plan();
    } else if (draft && !draft.refusal) {
      text.focus();
      text.setSelectionRange(0, 0);
    } else if (text.value === '') {
      text.focus();
    }
  }};
}

async function ofRollback({root, workspace, rollback, signal, title}) {
  title(`Roll back ${workspace}`);
  const revision = Number(rollback);
  const send = {method: 'POST', path: 'rollback', body: JSON.stringify({revision}), type: 'application/json'};
  const answer = await askTree(route(workspace, 'plan', {type: 'dev.strake.revision.rollback'}), {
    method: 'POST', body: send.body, headers: {'Content-Type': send.type}, signal,
  });
  const heading = h('h1', {}, `Roll back to revision ${count(revision)}`);
  const about = h('p', {}, 'This makes a new revision with the documents of that one. In a shell: ', h('code', {}, `strake rollback -w ${workspace} ${revision}`));
  const result = h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'What it would do'});
  const asked = form(workspace, answer, send, 'Roll back', made => {
    replace(heading, `Rolled back to revision ${count(revision)}`);
    result.setAttribute('aria-label', 'What it did');
    replace(result, outcome(workspace, answer, {made, more: asked}));
  });
  replace(result, outcome(workspace, answer, {more: [about, asked]}));
  root.append(h('div.bar', {}, heading, h('span.grow'), h('a.button', {href: to.compare(workspace, rollback, 'head')}, 'What came since')), result);
}

/* The form that publishes the planned change; null if the change would have no effect. */
function form(workspace, answer, send, verb, done) {
  const {wouldBe, head, documents = {}} = facts(answer);
  return wouldBe === 'rejected' || wouldBe === 'unchanged' ? null : publishing({
    workspace, head, send, done, isDangerous: wouldBe === 'failed',
    button: `${verb}: ${consequence(facts(answer))}${documents.removed > 0 ? `, ${some(documents.removed, 'document is', 'documents are')} removed` : ''}`,
  });
}

/* The label of a button, with the effect on consumers. */
function consequence({wouldBe, emitted = 0, removed = 0, problems = []}) {
  if (wouldBe === 'failed') {
    return 'it fails, and consumers get nothing new';
  }
  const differing = `${emitted + removed === 0 ? 'no rendered document changes' : some(emitted + removed, 'rendered document changes', 'rendered documents change')}`;
  return wouldBe === 'partial' ? `${differing}, ${some(countOf(problems).problems, 'problem stays', 'problems stay')}` : differing;
}

/* The parts of a plan that are not text of an author. */
const facts = answer => plain(new Map([...answer].filter(([name]) => !['differences', 'waiting'].includes(name))));

/**
 * The content of a plan.
 *
 * @param line returns a link to the line of a problem, or nothing
 * @param more elements between the figures and the problems
 * @param made the outcome of the published change. No other change came in between, so the plan is what happened
 */
export function outcome(workspace, answer, {line = () => null, more = null, made = null} = {}) {
  const isMade = MADE.includes(made?.status); // or an earlier attempt published it
  const result = {...facts(answer), ...(isMade ? made : {})};
  const {problems = [], warnings = [], appearing = [], vanishing = [], staying = 0, problemCounts = {}} = facts(answer);
  const [list, waiting] = ['differences', 'waiting'].map(name => get(answer, name) ?? []);
  const {added = 0, changed = 0, removed = 0} = result.documents ?? {};
  const verdict = isMade ? made.status : result.wouldBe ?? result.status;
  const isRejected = verdict === 'rejected';
  const would = (after, before) => made ? after : before;
  const keyOf = ({waitsFor, ...each}) => JSON.stringify(each);
  const brought = new Set(appearing.map(keyOf));
  const known = problems.filter(each => !brought.has(keyOf(each)));
  const grouped = items => causesOf(items).map(({problem: each, because}) => problem(workspace, each, {line: line(each), because}));
  const section = (title, items, told) => items.length > 0 && [h('h2', {}, `${title}: ${counted(told ?? countOf(items))}`), grouped(items)];
  return h('div.page', {},
      h('p', {}, would('It is ', 'It would be '), status(verdict), '. ', [[added, 'added'], [changed, 'changed'], [removed, 'removed']].filter(([number]) => number > 0)
          .map(([number, word]) => `${count(number)} ${word}`).join(', ') || (isRejected ? 'Nothing would change.' : 'No document differs.')),
      verdict === 'failed' && h('p.warn', {}, `${result.renderedRevision ? `Consumers keep revision ${count(result.renderedRevision)}` : 'Consumers get nothing'} until all documents render. `,
          appearing.length === 0 ? `This change adds no problem: ${staying === 1 ? 'the one below existed' : 'those below existed'} before.` : null),
      !isRejected && h('div.figures', {role: 'group', 'aria-label': would('What it reached', 'What it would reach')}, [['affected', result.affected], ['evaluated', result.evaluated], ['cut off', result.cutOff], ['emitted', result.emitted], ['removed', result.removed]]
          .filter(([, number]) => number !== undefined).map(([title, number]) => h('dl', {}, h('div', {}, h('dt', {}, title), h('dd', {}, count(number))))), effectBar(result, result.affected)),
      more,
      isRejected ? section('Why it would be rejected', problems) : section(would('Appeared', 'Would appear'), appearing, problemCounts.appearing),
      warnings.length > 0 && [h('h2', {}, `Warnings (${count(warnings.length)})`), warnings.map(each => problem(workspace, each, {isWarning: true, line: line(each)}))],
      h('div.mended', {}, section(would('Vanished', 'Would vanish'), vanishing, problemCounts.vanishing)),
      !isRejected && staying > 0 && h('details.known', {open: appearing.length === 0 && known.length <= MOST_OPEN},
          h('summary', {}, h('h2', {}, `${would('Stayed', 'Would stay')}: ${counted(problemCounts.staying ?? {problems: staying, waiting: 0})}`)), grouped(known),
          known.length < staying && h('p.muted', {}, `and ${count(staying - known.length)} more`)),
      !isRejected && (verdict === 'failed' ? h('h2', {}, waiting.length === 0 ? would('No rendered document changed', 'No rendered document would change')
          : `Rendered documents that ${would('changed', 'would change')}, and wait (${count(waiting.length)})`)
        : h('h2', {}, list.length === 0 ? would('No rendered document differs', 'No rendered document would differ') : `Rendered documents that ${would('differ', 'would differ')} (${count(list.length)})`)),
      result.complete === false && h('p.warn', {}, 'Some documents are listed without their differences: there are too many, or the revision that consumers have was pruned.'),
      differences(workspace, [...list, ...waiting], {}));
}
