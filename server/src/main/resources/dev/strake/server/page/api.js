// Sends requests to the service. The page has no other access: a script can do the same over the same routes.

import {parse} from './tree.js';

const TOKEN = 'strake-token';
const ATTEMPTS = 4;

/** An error response of the service. */
export class Refusal extends Error {
  /** @param answer the whole response: for example the outcome of a rejected change */
  constructor(status, code, message, answer = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.answer = answer;
  }
}

/**
 * The state of the connection: `state` is "ok" or "lost", `heard` is the time of the last response. Dispatches `change` when the state
 * changes, and `token` when the service requires one.
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

/** The token is kept in this tab only, and is lost with it. */
export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: text => sessionStorage.setItem(TOKEN, text),
  forget: () => sessionStorage.removeItem(TOKEN),
};

/** The headers of every request. */
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

/** Sends a request, and retries after a delay if the service suggests it. Returns the response of `fetch`. */
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

/** Returns a path of a workspace with parameters; missing ones are left out. */
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

/** Returns a response of the service as plain objects. */
export async function ask(path, options) {
  return (await request(path, options)).json();
}

/** Returns a response with documents of authors as trees: see tree.js. */
export async function askTree(path, options) {
  return parse(await (await request(path, options)).text());
}

/** Returns all items of a list, page by page; calls `each` for every page. */
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
