// Publishes exactly the planned change: the same documents, on the revision of the plan.

import {h, replace} from './dom.js';
import {ask, route, token} from './api.js';
import {problem} from './problems.js';
import {count, MADE, some, status, to} from './words.js';

const AUTHOR = 'strake-author';
const LATER = 1_000;
const ASKED = 30;

/**
 * The form below a plan: the author, the reason, and a button that publishes the change.
 *
 * @param head the revision of the plan; the service rejects the change if another one is the head by then
 * @param send the request that publishes the change: `method`, `path` below the workspace, `body` and its `type`
 * @param button the label of the button
 * @param isDangerous whether the change needs a warning
 * @param done is called after the change was published
 */
export function publishing({workspace, head, send, button, isDangerous = false, done = () => {}}) {
  // The same id for every attempt, so that retries apply the change only once.
  const id = `page-${[...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
  const author = h('input', {size: 16, maxlength: 256, autocomplete: 'username', 'aria-describedby': 'publishing-hint', value: sessionStorage.getItem(AUTHOR) ?? ''});
  const message = h('input', {size: 32, maxlength: 4_096, autocomplete: 'off', 'aria-describedby': 'publishing-hint'});
  const hint = h('p.hint', {id: 'publishing-hint'});
  const make = h(isDangerous ? 'button.danger' : 'button.primary', {type: 'submit'}, button);
  const result = h('div', {role: 'status'});
  const form = h('form.publishing', {'aria-label': button, onsubmit: event => {
    event.preventDefault();
    run();
  }}, h('label.inline', {}, 'Author', author), h('label.inline', {}, 'Why', message), make, hint, result);

  /* Both may be empty, at the expense of readers of the history. */
  function tellWhatIsMissing() {
    const missing = [!author.value.trim() && !token.get() && 'who made this change', !message.value.trim() && 'why'].filter(Boolean);
    replace(hint, missing.length > 0 ? `If left empty, History does not show ${missing.join(' and ')}.` : null);
  }
  [author, message].forEach(field => field.addEventListener('input', tellWhatIsMissing));
  tellWhatIsMissing();

  async function run(removals) {
    make.disabled = true;
    replace(result, h('p.hint', {}, 'Waiting for the outcome …'));
    sessionStorage.setItem(AUTHOR, author.value);
    try {
      const outcome = await answered(await ask(route(workspace, send.path, {author: author.value, message: message.value, 'max-removals': removals}), {
        method: send.method, body: send.body,
        headers: {'Content-Type': send.type, 'Idempotency-Key': id, ...(head === 0 ? {'If-None-Match': '*'} : {'If-Match': `"${head}"`})},
      }));
      replace(result, told(outcome));
      if (outcome.status !== 'pending') {
        [author, message].forEach(field => {
          field.disabled = true;
        });
        make.remove();
        hint.remove();
        done(outcome);
        result.querySelector('a')?.focus();
        return;
      }
    } catch (failure) {
      replace(result, h('div', {role: 'alert'}, refused(failure, removals)));
    }
    make.disabled = false;
  }

  async function answered(outcome) {
    for (let asked = 0; outcome.status === 'pending' && asked < ASKED; asked++) {
      await new Promise(resolve => setTimeout(resolve, LATER));
      outcome = await ask(route(workspace, `changes/${id}`));
    }
    return outcome;
  }

  function told(outcome) {
    return h('p', {}, 'The change is ', status(outcome.status), '. ', {
      pending: 'The outcome is not known yet. See Activity, or try again: the change is made at most once.',
      duplicate: 'An earlier attempt already made it.',
      unchanged: 'Nothing differs.',
      failed: `It was accepted, and consumers keep revision ${count(outcome.renderedRevision ?? 0)} until all documents render.`,
      partial: 'It was accepted. Documents with problems are held back.',
    }[outcome.status] ?? null, MADE.includes(outcome.status) && [' ', h('a', {href: to.compare(workspace, head, outcome.revision)},
        `Revision ${count(outcome.revision)}`), ` published ${some(outcome.emitted + (outcome.removed ?? 0), 'record')}.`]);
  }

  function refused(failure, removals) {
    const problems = failure.answer?.problems ?? [];
    if (problems.some(each => each.code === 'RevisionConflict')) {
      return h('p.warn', {}, 'Nothing was changed: somebody else changed the workspace after this plan. Plan it again.');
    }
    if (!removals && problems.some(each => each.code === 'TooManyRemovals')) {
      return [h('p.warn', {}, 'Nothing was changed yet. Is this intended?'), problems.map(each => problem(workspace, each)),
        h('button.danger', {type: 'button', onclick: () => run('100%')}, 'Remove them')];
    }
    if (problems.length > 0) {
      return [h('p.warn', {}, 'Nothing was changed: the change was rejected.'), problems.map(each => problem(workspace, each))];
    }
    const unknown = failure.status === 0 || failure.status >= 500;
    return h('p.warn', {}, `${failure.message} `, unknown && 'It is not known whether the change was made. Try again: it is made at most once.');
  }

  return form;
}
