// The initial text for a plan of one document: its published source, or a draft that the user edited before.

import {h, replace} from './dom.js';
import {isEncrypted, sources} from './store.js';
import {get, yaml} from './tree.js';
import {count, documentLink} from './words.js';

const DRAFT = 'strake-draft ';

/** Longer texts are not stored, and longer documents cannot be edited. */
const LONGEST = 1 << 20;

/* Drafts with secrets are never stored. */
const hasSecret = text => /storagePolicy[\\'"]*\s*:\s*[\\'"]*encrypted/.test(text);

/** Stores the text while this tab is open, unless it is very long or contains a document to be encrypted. */
export const drafts = {
  get: key => sessionStorage.getItem(DRAFT + key),
  set: (key, text) => {
    if (hasSecret(text)) {
      drafts.forget(key);
    } else if (text.length < LONGEST) {
      try {
        sessionStorage.setItem(DRAFT + key, text);
      } catch {
        // The storage is full: the text is kept as long as the view.
      }
    }
  },
  forget: key => sessionStorage.removeItem(DRAFT + key),
};

/** Explains why a redacted document cannot be edited here. */
export const REDACTED = 'It is secret: this page shows masks instead of its values, and publishing them would destroy the values.';

/**
 * Returns the draft of the document in an address: `{text, bucket, origin, about, refusal}`, where `about` describes the text and `refusal` says
 * why there is none. Returns null if the address names no document.
 *
 * @param restart is called with the text after a reset
 */
export async function draftOf({workspace, query, signal, restart}) {
  const [schema, name, layer, revision] = ['schema', 'name', 'layer', 'revision'].map(each => query.get(each));
  if (schema === null || name === null) {
    return null;
  }
  const id = {schema, name, layer};
  const key = `${workspace}\n${JSON.stringify([schema, layer, name, revision])}`;
  const about = h('p.about', {role: 'status'});
  const link = documentLink(workspace, id, {layer, revision});

  async function read() {
    const answer = await sources(workspace, id, revision, signal);
    const items = get(answer, 'items');
    const layerOf = each => get(each, 'document', 'metadata', 'layeringDefinition', 'layer') ?? null;
    return {number: Number(get(answer, 'revision').text), item: items.find(each => layerOf(each) === layer) ?? (layer === null ? items.at(-1) : undefined)};
  }

  const {item, number} = await read();
  const origin = get(item, 'origin');
  const bucket = get(item, 'bucket');
  const elsewhere = origin ? ['Change it at its source: ', h('span.mono', {}, origin), '.'] : 'Change it at its source.';
  const refused = refusal => ({text: '', bucket, about: null, refusal: [link, ...refusal], keep: () => {}, check: async () => {}, made: async () => {}});
  if (item === undefined) {
    return refused([` is not in revision ${count(number)}.`]);
  }
  if (isEncrypted(get(item, 'document'))) {
    return refused([' is not in the editor. ', REDACTED, ' ', elsewhere, ' Or paste all of it here, each value in clear text.']);
  }
  let now = textOf(item);
  if (now.length >= LONGEST) {
    return refused([' is too long to be edited here. ', elsewhere]);
  }
  const known = JSON.parse(drafts.get(key) ?? 'null');
  let text = known?.text ?? now;
  let base = known?.base ?? now;
  let told = null;

  function tell() {
    const isOutdated = base !== now;
    const state = text === now ? 'published' : isOutdated ? 'outdated' : 'draft';
    if (state === told) {
      return; // screen readers should not announce it at every key
    }
    told = state;
    about.classList.toggle('warn', state === 'outdated');
    replace(about, state === 'published' ? [link, `, as published${revision === null ? '' : ` in revision ${count(number)}`}`]
      : [state === 'outdated' ? ['Somebody else changed ', link, ' since this draft was made. Publishing it would undo that change. '] : ['Your draft of ', link, '. '],
        now !== null && h('button', {type: 'button', onclick: () => {
          base = now;
          restart(now);
        }}, 'Start again from the published document')]);
  }

  tell();
  return {
    text, bucket, origin, about, refusal: null,
    keep: typed => {
      text = typed;
      text === now ? drafts.forget(key) : drafts.set(key, JSON.stringify({text, base}));
      tell();
    },
    /* Another user may have changed the document meanwhile. */
    check: async () => {
      now = textOf((await read()).item);
      tell();
    },
    /* Compares with the newly published text from now on. */
    made: async () => {
      drafts.forget(key);
      base = now = textOf((await read()).item);
      tell();
    },
  };
}

/* Returns the source of a document; null if it cannot be published again. */
const textOf = item => item === undefined || isEncrypted(get(item, 'document')) ? null : yaml(get(item, 'document'));
