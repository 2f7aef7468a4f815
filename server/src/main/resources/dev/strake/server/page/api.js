// Asks the service. The page knows no other way to anything: what it can do, a script can do by the same routes.

import {parse} from './tree.js';

const TOKEN = 'strake-token';
const ATTEMPTS = 4;

/** A refusal of the service. */
export class Refusal extends Error {
  /** @param answer all that the service said: the outcome of a change that was rejected, for example */
  constructor(status, code, message, answer = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.answer = answer;
  }
}

/**
 * Tells how the connection is: `state` is "ok" or "lost", `since` when that was last known to be otherwise. Sends `change`, and `token`
 * when the service wants one.
 */
class Connection extends EventTarget {
  state = 'ok';
  heard = Date.now();

  ok() {
    this.heard = Date.now();
    this.become('ok');
  }

  lost() {
    this.become('lost');
  }

  become(state) {
    if (this.state !== state) {
      this.state = state;
      this.dispatchEvent(new Event('change'));
    }
  }
}

export const connection = new Connection();

/** The token stays in this tab, and goes with it. */
export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: text => sessionStorage.setItem(TOKEN, text),
  forget: () => sessionStorage.removeItem(TOKEN),
};

/** Headers that every request has. */
export function headers(others = {}) {
  const text = token.get();
  return text ? {...others, Authorization: `Bearer ${text}`} : others;
}

const pause = (millis, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, millis);
  signal?.addEventListener('abort', () => {
    clearTimeout(timer);
    reject(signal.reason);
  }, {once: true});
});

/** Asks, and again in a moment where the service says that this may help. Returns the answer of `fetch`. */
export async function request(path, {method = 'GET', body, headers: more = {}, signal} = {}) {
  for (let attempt = 1; ; attempt++) {
    let response;
    try {
      response = await fetch(path, {method, body, headers: headers(more), signal, credentials: 'omit', referrerPolicy: 'no-referrer'});
    } catch (failure) {
      if (signal?.aborted) {
        throw failure;
      }
      connection.lost();
      throw new Refusal(0, 'Unreachable', 'Strake does not answer. What is shown here may be out of date.');
    }
    connection.ok();
    if (response.ok) {
      return response;
    }
    if (response.status === 503 && attempt < ATTEMPTS) {
      await pause(attempt * 500, signal);
      continue;
    }
    const refusal = await read(response);
    if (response.status === 401) {
      connection.dispatchEvent(new CustomEvent('token', {detail: refusal}));
    }
    throw refusal;
  }
}

async function read(response) {
  try {
    const answer = await response.json();
    return new Refusal(response.status, answer.code, answer.message, answer);
  } catch {
    return new Refusal(response.status, `HTTP ${response.status}`, 'Something between this page and Strake refused the request.');
  }
}

/** A path of a workspace with parameters; those that are not given are left out. */
export function route(workspace, path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) {
      if (value !== null && value !== undefined && value !== '') {
        query.append(name, value);
      }
    }
  }
  return `workspaces/${encodeURIComponent(workspace)}/${path}${query.size > 0 ? '?' + query : ''}`;
}

/** An answer that the service made, as plain objects. */
export async function ask(path, options) {
  return (await request(path, options)).json();
}

/** An answer with documents of authors in it, as trees: see tree.js. */
export async function askTree(path, options) {
  return parse(await (await request(path, options)).text());
}

/** All items of a list, page by page; `each` is told of every page. */
export async function all(path, {limit = 2_000, signal, each} = {}) {
  const items = [];
  let what;
  for (let after = null; ;) {
    const separator = path.includes('?') ? '&' : '?';
    const page = await ask(`${path}${separator}limit=${limit}${after === null ? '' : '&after=' + encodeURIComponent(after)}`, {signal});
    what ??= page;
    items.push(...page.items);
    each?.(items);
    if (page.next === undefined) {
      return {...what, items};
    }
    after = page.next;
  }
}
