// A table with only its visible rows in the DOM, so ten thousand rows are as fast as ten.

import {h, press, replace} from './dom.js';

const HEIGHT = 32;
const BEYOND = 8;

/**
 * A table of links. The first link of a row belongs to the row: arrow keys change the row, Enter opens it, one Tab skips the table.
 *
 * @param label the accessible name of the table
 * @param columns `{title, kind}`; the kind is a CSS class of the cells
 * @param cells returns the cells of an item
 */
export class Rows {
  constructor({label, columns, cells, key = item => item, onactive = () => {}}) {
    this.cells = cells;
    this.columns = columns;
    this.key = key;
    this.onactive = onactive;
    this.items = [];
    this.active = 0;
    this.before = h('tr.spacer', {'aria-hidden': 'true'}, h('td'));
    this.after = h('tr.spacer', {'aria-hidden': 'true'}, h('td'));
    this.body = h('tbody', {});
    this.table = h('table', {'aria-label': label},
        h('thead', {}, h('tr', {}, columns.map(column => h(`th.${column.kind ?? 'text'}`, {scope: 'col'}, column.title)))),
        this.body);
    this.element = h('div.rows', {role: 'region', 'aria-label': label, tabindex: -1}, this.table);
    this.element.addEventListener('scroll', () => this.later(), {passive: true});
    this.element.addEventListener('keydown', event => this.onkey(event));
    this.element.addEventListener('click', event => this.onclick(event));
    this.gone = new AbortController();
    this.isPressed = press(this.element, () => this.later(), this.gone.signal);
    this.size = new ResizeObserver(() => this.later());
    this.size.observe(this.element);
  }

  /** Shows other items. The active row stays active. */
  set(items) {
    const used = this.items[this.active];
    this.items = items;
    if (used !== undefined) {
      const key = this.key(used);
      const found = items.findIndex(each => this.key(each) === key);
      this.active = found >= 0 ? found : Math.min(this.active, Math.max(0, items.length - 1));
    }
    this.table.setAttribute('aria-rowcount', String(items.length + 1));
    this.drawn = null;
    this.later();
  }

  later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (!this.isPressed()) {
        this.draw();
      }
    });
  }

  draw() {
    const top = Math.max(0, this.element.scrollTop);
    const height = this.element.clientHeight || 600;
    const first = Math.max(0, Math.min(Math.floor(top / HEIGHT) - BEYOND, this.items.length));
    const last = Math.min(this.items.length, Math.ceil((top + height) / HEIGHT) + BEYOND);
    if (this.drawn === `${first} ${last}`) {
      return;
    }
    this.drawn = `${first} ${last}`;
    const focused = this.body.contains(document.activeElement);
    const rows = [];
    for (let i = first; i < last; i++) {
      rows.push(this.row(i));
    }
    this.before.style.height = `${first * HEIGHT}px`;
    this.after.style.height = `${(this.items.length - last) * HEIGHT}px`;
    replace(this.body, this.before, rows, this.after);
    if (focused) {
      this.link(this.active)?.focus({preventScroll: true});
    }
  }

  row(index) {
    const row = h('tr', {'aria-rowindex': index + 2, 'data-index': index},
        this.cells(this.items[index], index).map((cell, i) => h(`td.${this.columns[i].kind ?? 'text'}`, {}, cell)));
    row.querySelectorAll('a, button').forEach(link => link.setAttribute('tabindex', -1));
    row.querySelector('a')?.setAttribute('tabindex', index === this.active ? 0 : -1);
    return row;
  }

  link(index) {
    return this.body.querySelector(`tr[data-index="${index}"] a`);
  }

  /** Moves to a row and shows it. */
  go(index, focus = true) {
    this.active = Math.max(0, Math.min(index, this.items.length - 1));
    const top = this.active * HEIGHT;
    const head = this.table.tHead.offsetHeight;
    if (top < this.element.scrollTop) {
      this.element.scrollTop = top;
    } else if (top + HEIGHT > this.element.scrollTop + this.element.clientHeight - head) {
      this.element.scrollTop = top + HEIGHT - this.element.clientHeight + head;
    }
    this.drawn = null;
    this.draw();
    if (focus) {
      this.link(this.active)?.focus({preventScroll: true});
    }
    this.onactive(this.items[this.active]);
  }

  focus() {
    this.go(this.active);
  }

  onkey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const page = Math.max(1, Math.floor(this.element.clientHeight / HEIGHT) - 2);
    const step = {ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page}[event.key];
    if (step !== undefined) {
      this.go(this.active + step);
    } else if (event.key === 'Home' || event.key === 'End') {
      this.go(event.key === 'Home' ? 0 : this.items.length - 1);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /* A click anywhere in a row opens it, unless it hits another control or selects text. */
  onclick(event) {
    const row = event.target.closest('tr[data-index]');
    if (!row) {
      return;
    }
    this.active = Number(row.dataset.index);
    if (!event.target.closest('a, button, input, label') && getSelection().isCollapsed) {
      row.querySelector('a')?.click();
    }
  }

  close() {
    this.gone.abort();
    this.size.disconnect();
  }
}
