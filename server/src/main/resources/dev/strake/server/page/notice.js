// Announces a newer revision than the one that a view shows. Views do not change while users read them.

import {h, replace} from './dom.js';
import {live} from './live.js';
import {count, MADE} from './words.js';

/** Shows a line when a later revision than `revision` arrives, with a button that calls `again`. */
export function notice(workspace, signal, revision, again) {
  const element = document.getElementById('notice');
  live.follow(workspace, signal, outcome => {
    if (outcome.revision > revision && MADE.includes(outcome.status)) {
      element.hidden = false;
      replace(element, h('span', {}, `Revision ${count(outcome.revision)} is available; this view shows ${count(revision)}.`),
          h('button', {type: 'button', onclick: again}, 'Show it (r)'));
    }
  });
}
