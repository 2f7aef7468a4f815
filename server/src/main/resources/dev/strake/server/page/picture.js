// Draws a graph after its layout. Only the visible part is in the DOM; an exported file contains all of it.

import {h, replace, svg} from './dom.js';
import {curve} from './layout.js';
import {EDGES} from './store.js';

const BEYOND = 240;

/** The most lines drawn without a selection: more would be slow, and look like a grey area. */
const MOST_EDGES = 1_200;
const LONGEST_NAME = 23;
const LONGEST_SCHEMA = 27;

/** If there are more lines than this, they are lighter, so that names stay readable. */
const MANY_EDGES = 200;

const cut = (text, most) => text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** The marker of an edge by kind. Its shape identifies the kind where dashes are hard to see. */
function head(kind, [x, y], turn, more = {}) {
  const shapes = {
    arrow: 'M0 0L-8 -4L-8 4Z', bar: 'M0 0L-8 -4L-8 4ZM-10 -5L-10 5L-12 5L-12 -5Z', dot: 'M-7 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z',
    square: 'M-7 -3.5H0V3.5H-7Z', diamond: 'M-10 0L-5 -4L0 0L-5 4Z',
  };
  return svg('path.edge-head', {d: shapes[EDGES[kind].head], transform: `translate(${x} ${y}) rotate(${turn})`, ...more});
}

/** The style of an edge kind, for the legend. */
export function sample(kind) {
  return svg('svg', {viewBox: '0 0 40 12', 'aria-hidden': 'true'},
      svg('path.edge', {d: 'M1 6H32', 'stroke-dasharray': EDGES[kind].dash || null, 'stroke-width': EDGES[kind].double ? 3 : null}), head(kind, [38, 6], 0));
}

/**
 * A graph on the page.
 *
 * @param onchoose is called with the index of a node
 */
export class Picture {
  constructor({label, onchoose}) {
    this.onchoose = onchoose;
    this.zoom = 1;
    this.active = 0;
    this.chosen = null;
    this.lanes = svg('g', {'aria-hidden': 'true'});
    this.lines = svg('g', {'aria-hidden': 'true'});
    this.nodes = svg('g', {role: 'list', 'aria-label': 'Documents'});
    this.titles = svg('g', {'aria-hidden': 'true'});
    this.svg = svg('svg', {role: 'group', 'aria-label': label}, this.lanes, this.lines, this.nodes, this.titles);
    this.element = h('div.graph', {role: 'region', 'aria-label': label, tabindex: -1}, this.svg);
    this.element.addEventListener('scroll', () => this.later(), {passive: true});
    this.element.addEventListener('keydown', event => this.onkey(event));
    this.element.addEventListener('click', event => {
      const node = event.target.closest('[data-node]');
      if (node) {
        this.active = Number(node.dataset.node);
        this.onchoose(this.active);
      }
    });
    this.size = new ResizeObserver(() => this.graph && this.scale(this.zoom));
    this.size.observe(this.element);
  }

  /** Shows another graph: nodes `{name, sub, kind, about}`, edges `{from, to, kind}`, and their layout. */
  set(graph, placed, fit = false) {
    this.graph = graph;
    this.placed = placed;
    this.column = new Map(placed.columns.flatMap((column, i) => column.map((node, row) => [node, [i, row]])));
    this.edgesOf = graph.nodes.map(() => []);
    graph.edges.forEach((edge, i) => {
      this.edgesOf[edge.from].push(i);
      this.edgesOf[edge.to].push(i);
    });
    this.active = Math.min(this.active, Math.max(0, graph.nodes.length - 1));
    this.toFit ||= fit;
    this.scale(this.zoom);
  }

  scale(zoom) {
    this.zoom = Math.max(0.25, Math.min(2, zoom));
    const {width, height} = this.placed;
    const tall = Math.max(height, this.element.clientHeight / this.zoom - 2);
    this.tall = tall;
    this.svg.setAttribute('viewBox', `0 0 ${width} ${tall}`);
    this.svg.setAttribute('width', width * this.zoom);
    this.svg.setAttribute('height', tall * this.zoom);
    replace(this.lanes, this.placed.lanes.map((lane, i) => [
      svg('rect', {x: lane.x, y: 0, width: lane.width, height: tall, class: i % 2 === 0 ? 'lane' : 'lane other'}),
      svg('line.lane-line', {x1: lane.x, x2: lane.x, y1: 0, y2: tall})]));
    this.drawn = null;
    this.later();
  }

  /** Selects a node, or none if it is null. With `dims`, fades everything that is not connected to it. */
  choose(node, dims = false) {
    this.chosen = node;
    this.dims = dims;
    if (node !== null) {
      this.active = node;
      this.scrollTo(node);
    }
    this.drawn = null;
    this.later();
  }

  scrollTo(node) {
    const {x, y, size} = this.placed;
    const {clientWidth: width, clientHeight: height} = this.element;
    const [left, top] = [x[node] * this.zoom, y[node] * this.zoom];
    if (left < this.element.scrollLeft || left + size.width * this.zoom > this.element.scrollLeft + width) {
      this.element.scrollLeft = left - width / 2;
    }
    if (top < this.element.scrollTop + 40 || top + size.height * this.zoom > this.element.scrollTop + height) {
      this.element.scrollTop = top - height / 2;
    }
  }

  later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.graph) {
        this.draw();
      }
    });
  }

  /* The nodes in a part of the picture. Checks columns first, to skip most nodes. */
  within(left, top, right, bottom) {
    const {x, y, columns, size} = this.placed;
    const found = [];
    for (const column of columns) {
      if (x[column[0]] + size.width < left || x[column[0]] > right) {
        continue;
      }
      const first = Math.max(0, Math.floor((top - y[column[0]]) / (size.height + size.gap)) - 1);
      for (let i = first; i < column.length && y[column[i]] <= bottom; i++) {
        found.push(column[i]);
      }
    }
    return found;
  }

  draw() {
    if (this.toFit && this.element.clientWidth > 0) {
      this.toFit = false;
      // Fits the graph to the view, down to a readable size.
      this.scale(Math.max(0.7, Math.min(1, (this.element.clientWidth - 1) / this.placed.width)));
      if (this.chosen !== null) {
        this.scrollTo(this.chosen);
      }
    }
    const {scrollLeft, scrollTop, clientWidth, clientHeight} = this.element;
    const [left, top] = [scrollLeft / this.zoom, scrollTop / this.zoom];
    const key = `${Math.round(left / 60)} ${Math.round(top / 60)} ${clientWidth} ${clientHeight}`;
    if (this.drawn === key) {
      this.drawTitles(top);
      return;
    }
    this.drawn = key;
    const visible = this.within(left - BEYOND, top - BEYOND, left + clientWidth / this.zoom + BEYOND, top + clientHeight / this.zoom + BEYOND);
    const near = this.near();
    const focused = this.element.contains(document.activeElement) && document.activeElement !== this.element;
    if (!visible.includes(this.active) && visible.length > 0 && !focused) {
      this.active = visible[0];
    }
    const lines = new Set();
    if (this.chosen !== null && this.edgesOf[this.chosen].length <= MOST_EDGES) {
      this.edgesOf[this.chosen].forEach(edge => lines.add(edge));
    }
    this.crowded = false;
    for (const node of visible) {
      for (const edge of this.edgesOf[node]) {
        if (lines.size < MOST_EDGES) {
          lines.add(edge);
        } else {
          this.crowded = true;
        }
      }
    }
    this.lines.classList.toggle('many', this.chosen !== null && this.edgesOf[this.chosen].length > 30);
    this.lines.classList.toggle('dense', lines.size > MANY_EDGES && this.chosen === null);
    replace(this.lines, [...lines].map(edge => this.edge(edge, near)));
    replace(this.nodes, visible.map(node => this.node(node, near)));
    this.drawTitles(top);
    if (focused) {
      this.focus();
    }
  }

  drawTitles(top) {
    this.titles.setAttribute('transform', `translate(0 ${top})`);
    if (this.titled !== this.placed) {
      this.titled = this.placed;
      replace(this.titles, this.placed.lanes.map((lane, i) => [
        svg('rect', {x: lane.x, y: 0, width: lane.width, height: 30, class: i % 2 === 0 ? 'lane' : 'lane other'}),
        svg('text.lane-title', {x: lane.x + 20, y: 20}, cut(lane.title, Math.floor(lane.width / 8)))]));
    }
  }

  /* The selected node and its neighbours. Null if everything shown belongs to the node. */
  near() {
    if (this.chosen === null || !this.dims) {
      return null;
    }
    const found = new Set([this.chosen]);
    this.edgesOf[this.chosen].forEach(i => found.add(this.graph.edges[i].from).add(this.graph.edges[i].to));
    return found;
  }

  edge(index, near) {
    const edge = this.graph.edges[index];
    const {d, end, turn} = curve(this.placed, edge.from, edge.to);
    const isNear = this.chosen !== null && (edge.from === this.chosen || edge.to === this.chosen);
    const look = EDGES[edge.kind];
    return svg(`g${near && !isNear ? '.far' : ''}`, {opacity: near && !isNear ? 0.3 : null},
        svg(`path.edge${isNear ? '.near' : ''}`, {d, 'stroke-dasharray': look.dash || null}),
        look.double && svg(`path.edge${isNear ? '.near' : ''}`, {d, transform: 'translate(0 3)'}), head(edge.kind, end, turn));
  }

  node(index, near) {
    const node = this.graph.nodes[index];
    const {x, y, size} = this.placed;
    const classes = [...node.kind, index === this.chosen && 'chosen', near && !near.has(index) && 'far'].filter(Boolean);
    return svg(`g.node${classes.map(each => '.' + each).join('')}`, {
      transform: `translate(${x[index]} ${y[index]})`, 'data-node': index, role: 'listitem', tabindex: index === this.active ? 0 : -1,
      'aria-label': node.about, 'aria-current': index === this.chosen ? 'true' : null,
    }, svg('title', {}, node.about), svg('rect', {width: size.width, height: size.height, rx: 4}),
    svg('text', {x: 8, y: 15}, cut(node.name, LONGEST_NAME)), svg('text.sub', {x: 8, y: 27}, cut(node.sub, LONGEST_SCHEMA)));
  }

  focus() {
    this.nodes.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
  }

  onkey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.column?.has(this.active)) {
      return;
    }
    const [column, row] = this.column.get(this.active);
    const {columns, y} = this.placed;
    const nearest = list => list?.reduce((best, each) => Math.abs(y[each] - y[this.active]) < Math.abs(y[best] - y[this.active]) ? each : best, list[0]);
    const next = {
      ArrowDown: columns[column][row + 1], j: columns[column][row + 1], ArrowUp: columns[column][row - 1], k: columns[column][row - 1],
      ArrowRight: nearest(columns[column + 1]), ArrowLeft: nearest(columns[column - 1]),
    };
    if (event.key === 'Enter' || event.key === ' ') {
      this.onchoose(this.active);
    } else if (event.key in next) {
      if (next[event.key] !== undefined) {
        this.active = next[event.key];
        this.scrollTo(this.active);
        this.drawn = null;
        this.draw();
        this.focus();
      }
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Returns the whole picture as a self-contained file. */
  file() {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue(`--${name}`).trim();
    const {width, height, lanes} = this.placed;
    const copy = svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, 'font-family': 'system-ui, sans-serif', 'font-size': 12},
        svg('rect', {width, height, fill: colour('ground')}),
        lanes.map(lane => [svg('rect', {x: lane.x, y: 0, width: lane.width, height, fill: colour('surface'), stroke: colour('line')}),
          svg('text', {x: lane.x + 20, y: 20, fill: colour('muted'), 'font-weight': 600}, lane.title)]),
        this.graph.edges.map((_, i) => this.edge(i, null)), this.graph.nodes.map((_, i) => this.node(i, null)));
    copy.querySelectorAll('.edge').forEach(each => {
      each.setAttribute('fill', 'none');
      each.setAttribute('stroke', colour('line-strong'));
    });
    copy.querySelectorAll('.edge-head').forEach(each => each.setAttribute('fill', colour('line-strong')));
    copy.querySelectorAll('.node').forEach(each => {
      const rect = each.querySelector('rect');
      rect.setAttribute('fill', colour('raised'));
      rect.setAttribute('stroke', colour(each.classList.contains('trouble') ? 'bad' : 'line-strong'));
      if (each.classList.contains('abstract')) {
        rect.setAttribute('stroke-dasharray', '4 3');
      }
      each.querySelectorAll('text').forEach((text, i) => {
        text.setAttribute('fill', colour(i === 0 ? 'text' : 'muted'));
        text.setAttribute('font-size', i === 0 ? 12 : 10);
      });
    });
    copy.querySelectorAll('*').forEach(each => ['tabindex', 'role', 'aria-label', 'class'].forEach(name => each.removeAttribute(name)));
    return new XMLSerializer().serializeToString(copy);
  }

  close() {
    this.size.disconnect();
  }
}
