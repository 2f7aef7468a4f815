// Live updates: the outcomes of changes as server-sent events, resumed after a broken connection. Does not use
// EventSource, which cannot send a token.

import {connection, headers} from './api.js';

const KEPT = 2_000;
const LONGEST_PAUSE = 15_000;

/** The service sends at least a heartbeat every ten seconds. */
const SILENCE = 30_000;

/**
 * Dispatches `outcome` for each outcome, `gap` if some are missing, and `state` when `state` changes: "connecting", "live", "lost", or
 * "idle" if the service sends no events.
 */
class Live extends EventTarget {
  state = 'connecting';
  heard = Date.now();
  outcomes = [];
  last = null;
  running = null;

  /* A browser shares six connections among its tabs of one server, so hidden tabs release theirs. */
  start() {
    document.addEventListener('visibilitychange', () => document.hidden ? this.running?.abort() : this.restart());
    this.restart();
  }

  restart() {
    this.running?.abort();
    this.running = new AbortController();
    this.become('connecting');
    this.run(this.running.signal);
  }

  become(state) {
    if (this.state !== state) {
      this.state = state;
      this.dispatchEvent(new Event('state'));
    }
  }

  async run(signal) {
    for (let failures = 0; !signal.aborted; failures++) {
      const attempt = new AbortController();
      const stop = () => attempt.abort();
      signal.addEventListener('abort', stop, {once: true});
      const begun = Date.now();
      const silence = setInterval(() => Date.now() - Math.max(begun, this.heard) > SILENCE && stop(), 5_000);
      try {
        const response = await fetch('events', {
          headers: headers({Accept: 'text/event-stream', ...(this.last === null ? {} : {'Last-Event-ID': this.last})}),
          signal: attempt.signal, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer',
        });
        if ([401, 403, 404, 405].includes(response.status)) {
          this.heard = Date.now();
          this.become('idle'); // a retry would not help
          return;
        }
        if (response.ok) {
          this.heard = Date.now();
          connection.ok();
          this.become('live');
          failures = 0;
          await this.read(response.body.getReader());
        }
      } catch {
        if (signal.aborted) {
          return;
        }
      } finally {
        clearInterval(silence);
        signal.removeEventListener('abort', stop);
      }
      this.become('lost');
      await new Promise(resolve => setTimeout(resolve, Math.min(LONGEST_PAUSE, 500 * 2 ** failures)));
    }
  }

  async read(reader) {
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const {done, value} = await reader.read();
      if (done) {
        return;
      }
      this.heard = Date.now();
      rest += decoder.decode(value, {stream: true});
      const events = rest.split(/\r?\n\r?\n/);
      rest = events.pop();
      events.forEach(event => this.take(event));
    }
  }

  take(text) {
    let type = 'message';
    let data = '';
    for (const line of text.split(/\r?\n/)) {
      const [, name, value] = /^([a-z]*):? ?(.*)$/.exec(line) ?? [];
      if (name === 'event') {
        type = value;
      } else if (name === 'data') {
        data += data ? '\n' + value : value;
      } else if (name === 'id') {
        this.last = value;
      }
    }
    if (type === 'outcome' && data) {
      this.add(JSON.parse(data));
    } else if (type === 'reset') {
      this.dispatchEvent(new Event('gap'));
    }
  }

  add(outcome) {
    const heard = {...outcome, heard: Date.now()};
    this.outcomes.push(heard);
    if (this.outcomes.length > KEPT) {
      this.outcomes.splice(0, this.outcomes.length - KEPT);
    }
    this.dispatchEvent(new CustomEvent('outcome', {detail: heard}));
  }

  /** Calls back for each outcome of a workspace, or of all workspaces if it is null, until the view closes. */
  follow(workspace, signal, callback) {
    this.addEventListener('outcome', event => {
      if (workspace === null || event.detail.workspace === workspace) {
        callback(event.detail);
      }
    }, {signal});
  }
}

export const live = new Live();
