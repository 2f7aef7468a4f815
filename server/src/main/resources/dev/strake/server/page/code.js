// Shows documents as YAML. Only the visible lines are in the DOM.

import {h, press, replace} from './dom.js';
import {lines, path, scalar, yaml} from './tree.js';
import {count} from './words.js';

const HEIGHT = 20;
const BEYOND = 20;
const LONGEST = 400;

/** The most lines shown of one document; longer ones are available as JSON. */
const MOST_LINES = 400_000;

/** Splits a text into the part that fits on a line and the rest. */
function short(text, whole = text) {
  return text.length <= LONGEST
    ? [text]
    : [text.slice(0, LONGEST), h('span.more', {}, ` … ${count(whole.length)} characters`)];
}

/**
 * A tree as text. With `onchoose`, its lines can be selected: arrow keys move between lines, Enter selects.
 *
 * @param value the tree
 * @param mark returns what precedes a leaf: `steps => {text, title}`, or nothing
 */
export class Code {
  constructor({label, value, onchoose = null, mark = () => null, root = []}) {
    this.lines = lines(value, MOST_LINES);
    this.root = root;
    this.onchoose = onchoose;
    this.mark = mark;
    this.active = Math.max(0, this.lines.findIndex(line => line.leaf));
    this.chosen = null;
    this.found = null;
    this.window = h('div.window', {role: 'presentation'});
    this.space = h('div.space', {role: 'presentation'}, this.window);
    this.space.style.height = `${this.lines.length * HEIGHT}px`;
    this.element = h(onchoose ? 'div.code.explained' : 'div.code', {role: 'tree', 'aria-label': label}, this.space);
    this.element.addEventListener('scroll', () => this.later(), {passive: true});
    this.element.addEventListener('keydown', event => this.onkey(event));
    this.element.addEventListener('click', event => {
      const line = event.target.closest('[data-line]');
      if (line && getSelection().isCollapsed) {
        this.go(Number(line.dataset.line));
        this.choose();
      }
    });
    this.gone = new AbortController();
    this.isPressed = press(this.element, () => this.later(), this.gone.signal);
    this.size = new ResizeObserver(() => {
      if (this.chosen !== null && this.element.clientHeight > 0) {
        this.show(this.active); // a neighbouring panel may have resized it
      }
      this.drawn = null;
      this.later();
    });
    this.size.observe(this.element);
  }

  later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  redraw() {
    this.drawn = null;
    if (!this.isPressed()) {
      this.draw();
    }
  }

  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / HEIGHT) - BEYOND);
    const last = Math.min(this.lines.length, Math.ceil((this.element.scrollTop + (this.element.clientHeight || 600)) / HEIGHT) + BEYOND);
    if (this.drawn === `${first} ${last}`) {
      return;
    }
    this.drawn = `${first} ${last}`;
    const focused = this.element.contains(document.activeElement);
    const shown = [];
    for (let i = first; i < last; i++) {
      shown.push(this.line(i));
    }
    this.window.style.transform = `translateY(${first * HEIGHT}px)`;
    replace(this.window, shown);
    if (focused) {
      this.focus();
    }
  }

  line(index) {
    const line = this.lines[index];
    const own = line.key !== null || line.leaf;
    const mark = line.leaf && own ? this.mark(line.steps) : null;
    const text = h('span', {},
        '  '.repeat(line.depth), line.dash > 0 ? h('span.dash', {}, '- '.repeat(line.dash)) : null,
        line.key === null ? null : [h('span.k', {}, short(scalar(line.key))), ':'],
        line.value === undefined ? null : [line.key === null ? '' : ' ', h(`span.${line.kind}`, {}, short(line.value, typeof line.whole === 'string' ? line.whole : line.value))]);
    const chosen = this.chosen !== null && own && path(line.steps) === this.chosen;
    return h(`div.line${own && this.onchoose ? '.leaf' : ''}${index === this.found ? '.found' : ''}`, {
      role: own ? 'treeitem' : 'presentation',
      'aria-level': own ? line.steps.length || 1 : null,
      'aria-selected': own && this.onchoose ? String(chosen) : null,
      'data-line': index,
      tabindex: own ? (index === this.active ? 0 : -1) : null,
    }, h('span.gutter', {title: mark?.title, 'aria-hidden': mark ? null : 'true', role: mark ? 'img' : null, 'aria-label': mark?.title}, mark?.text ?? ''), text);
  }

  go(index, step = 1) {
    let next = Math.max(0, Math.min(index, this.lines.length - 1));
    while (next > 0 && next < this.lines.length - 1 && this.lines[next].key === null && !this.lines[next].leaf) {
      next += step; // the lines of a multi-line text count as one
    }
    this.active = next;
    this.show(next);
    this.redraw();
    this.focus();
  }

  show(index) {
    const top = index * HEIGHT;
    if (top < this.element.scrollTop) {
      this.element.scrollTop = top;
    } else if (top + 2 * HEIGHT > this.element.scrollTop + this.element.clientHeight) {
      this.element.scrollTop = top + 2 * HEIGHT - this.element.clientHeight;
    }
  }

  /**
   * Shows the first line with a text, or the next one. The browser's search finds no lines outside of the DOM. Arrow keys continue from
   * this line.
   *
   * @return whether a line was found
   */
  find(text, isNext) {
    const wanted = text.toLowerCase();
    const begin = isNext && this.found !== null ? this.found + 1 : 0;
    const has = line => `${line.key === null ? '' : `${line.key}: `}${line.value ?? ''}`.toLowerCase().includes(wanted);
    const after = wanted === '' ? -1 : this.lines.findIndex((line, i) => i >= begin && has(line));
    const index = after < 0 && begin > 0 ? this.lines.findIndex(has) : after;
    this.found = index < 0 ? null : index;
    if (index >= 0) {
      this.active = index;
      while (this.active > 0 && this.lines[this.active].key === null && !this.lines[this.active].leaf) {
        this.active--; // inside a multi-line text
      }
      this.show(index);
    }
    this.redraw();
    return index >= 0;
  }

  focus() {
    this.window.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
  }

  /* Returns the focusable line of the neighbouring document. */
  beside(isAfter) {
    const all = [...(this.element.closest('.panes')?.querySelectorAll('.code') ?? [])].filter(each => each.checkVisibility());
    return all[all.indexOf(this.element) + (isAfter ? 1 : -1)]?.querySelector('[tabindex="0"]');
  }

  choose() {
    const line = this.lines[this.active];
    if (line && this.onchoose) {
      this.onchoose(path(line.steps), line.steps);
    }
  }

  /** Marks and shows the leaf that a neighbouring panel is about. */
  select(text) {
    this.chosen = text;
    const index = this.lines.findIndex(line => (line.leaf || line.key !== null) && path(line.steps) === text);
    if (index >= 0) {
      this.active = index;
      const top = index * HEIGHT;
      if (top < this.element.scrollTop || top > this.element.scrollTop + this.element.clientHeight - 2 * HEIGHT) {
        this.element.scrollTop = Math.max(0, top - this.element.clientHeight / 3);
      }
    }
    this.redraw();
  }

  /** Scrolls the selected line into view if something covers it. */
  reveal() {
    this.redraw(); // the click that selected the line may have delayed this
    this.window.querySelector('[aria-selected=true]')?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  onkey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const page = Math.max(1, Math.floor(this.element.clientHeight / HEIGHT) - 2);
    const step = {ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page}[event.key];
    if (step !== undefined) {
      this.go(this.active + step, Math.sign(step));
    } else if (event.key === 'Home' || event.key === 'End') {
      this.go(event.key === 'Home' ? 0 : this.lines.length - 1, event.key === 'Home' ? 1 : -1);
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      this.beside(event.key === 'ArrowRight')?.focus();
    } else if (event.key === 'Enter' && this.onchoose) {
      this.choose();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  close() {
    this.gone.abort();
    this.size.disconnect();
  }
}

const MOST_SHOWN = 20_000;

/** Shows a value on a few lines, as text that users can select and copy. */
export function text(value) {
  const all = value instanceof Map || Array.isArray(value) ? yaml(value).trimEnd() : typeof value === 'string' ? value : scalar(value);
  return all.length <= MOST_SHOWN ? all : `${all.slice(0, MOST_SHOWN)}\n… ${count(all.length)} characters`;
}
