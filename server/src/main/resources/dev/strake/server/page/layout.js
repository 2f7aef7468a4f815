// Lays out documents: lanes from the most general layer to the most specific one; in each lane, sources precede their users.
//
//   lane          lane
//   ┌ column ┐┌ column ┐┌ column ┐
//   │  node  ││  node  ││  node  │     a rank that is too long for one column continues in the next
//   │  node  ││        ││  node  │
//
// Independent of the page: large graphs are laid out in a worker.

const NODE = {width: 176, height: 34, gap: 8};
const COLUMN_GAP = 48;
const LANE_PAD = 16;
const TOP = 44;
const MOST_RANKS = 8;
const SWEEPS = 4;

/**
 * @param nodes `{id, lane, order}`; the lane is a number, and a column keeps this order unless edges require another one
 * @param edges `[from, to]`, indexes in the list of nodes
 * @param lanes their titles
 * @returns `{width, height, lanes: [{title, x, width}], x: [], y: [], columns: [[position, ...], ...], column: [], size}`, where `column` is the number of that of each node
 */
export function layout({nodes, edges, lanes}) {
  const inside = nodes.map(() => []);
  const beside = nodes.map(() => []);
  for (const [from, to] of edges) {
    if (from !== to) {
      beside[from].push(to);
      beside[to].push(from);
      if (nodes[from].lane === nodes[to].lane) {
        inside[from].push(to);
      }
    }
  }
  const ranks = rank(nodes, inside);
  const columns = [];
  const used = lanes.map((title, lane) => {
    const members = nodes.map((_, i) => i).filter(i => nodes[i].lane === lane);
    // About as wide as a screen: a lane of hundreds of nodes becomes a block instead of a long column.
    const longest = Math.max(24, Math.ceil(Math.sqrt(members.length * 7)));
    const mine = [];
    for (let r = 0; r < MOST_RANKS; r++) {
      const of = members.filter(i => ranks[i] === r).sort((a, b) => nodes[a].order - nodes[b].order);
      if (of.length > 0) {
        mine.push({longest, of});
      }
    }
    return {title, mine};
  }).filter(lane => lane.mine.length > 0);

  const place = nodes.map(() => 0);
  const all = used.flatMap(lane => lane.mine);
  const number = column => column.of.forEach((i, nth) => {
    place[i] = (nth + 0.5) / column.of.length;
  });
  all.forEach(number);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of sweep % 2 === 0 ? all : [...all].reverse()) {
      const wanted = new Map(column.of.map(i => [i, mean(beside[i], place, place[i])]));
      column.of.sort((a, b) => wanted.get(a) - wanted.get(b) || nodes[a].order - nodes[b].order);
      number(column);
    }
  }

  const x = new Float64Array(nodes.length);
  const y = new Float64Array(nodes.length);
  const found = [];
  let at = 0;
  let tallest = 0;
  for (const lane of used) {
    lane.x = at;
    at += LANE_PAD;
    for (const {of, longest} of lane.mine) {
      for (let from = 0; from < of.length; from += longest) {
        const part = of.slice(from, from + longest);
        part.forEach((i, nth) => {
          x[i] = at;
          y[i] = TOP + nth * (NODE.height + NODE.gap);
        });
        tallest = Math.max(tallest, part.length);
        columns.push(part);
        found.push(part);
        at += NODE.width + COLUMN_GAP;
      }
    }
    at += LANE_PAD - COLUMN_GAP;
    lane.width = at - lane.x;
  }
  const height = TOP + tallest * (NODE.height + NODE.gap) + LANE_PAD;
  for (const column of found) { // centres short columns against the tallest one, for shorter edges
    const shift = Math.min((height - TOP - LANE_PAD - column.length * (NODE.height + NODE.gap)) / 2, 400);
    column.forEach(i => {
      y[i] += shift;
    });
  }
  const column = new Int32Array(nodes.length);
  columns.forEach((of, number) => of.forEach(i => {
    column[i] = number;
  }));
  return {width: at, height, lanes: used.map(({title, x: left, width}) => ({title, x: left, width})), x, y, columns, column, size: NODE};
}

function mean(others, place, own) {
  if (others.length === 0) {
    return own;
  }
  let sum = 0;
  for (const each of others) {
    sum += place[each];
  }
  return sum / others.length;
}

/* The longest path within a lane, without recursion. Documents in a cycle get the rank at which the traversal entered the cycle. */
function rank(nodes, inside) {
  const ranks = new Int32Array(nodes.length);
  const open = new Int32Array(nodes.length);
  inside.forEach(users => users.forEach(i => open[i]++));
  let ready = nodes.map((_, i) => i).filter(i => open[i] === 0);
  while (ready.length > 0) {
    const next = [];
    for (const i of ready) {
      for (const user of inside[i]) {
        ranks[user] = Math.min(MOST_RANKS - 1, Math.max(ranks[user], ranks[i] + 1));
        if (--open[user] === 0) {
          next.push(user);
        }
      }
    }
    ready = next;
  }
  return ranks;
}

/** The line of an edge between two nodes. It bends only between columns, and crosses a column through the nearest gap. */
export function curve({x, y, columns, column, size}, from, to) {
  const middle = size.height / 2;
  const end = y[to] + middle;
  const hops = column[to] - column[from];
  const step = Math.sign(hops);
  const [near, far] = step >= 0 ? [size.width, 0] : [0, size.width]; // the sides at which the line leaves one box and enters the next
  let at = [x[from] + near, y[from] + middle];
  let d = `M${at[0]} ${at[1]}`;
  const bend = (toX, toY) => {
    const reach = (toX - at[0]) / 2;
    d += `C${at[0] + reach} ${at[1]} ${toX - reach} ${toY} ${toX} ${toY}`;
    at = [toX, toY];
  };
  if (hops === 0) { // next to its own column
    d += `C${at[0] + 40} ${at[1]} ${at[0] + 40} ${end} ${at[0]} ${end}`;
    return {d, end: [at[0], end], turn: 180};
  }
  for (let i = column[from] + step; i !== column[to]; i += step) {
    const left = x[columns[i][0]];
    const wanted = at[1] + (end - at[1]) / (Math.abs(column[to] - i) + 1);
    bend(left + far, gap(columns[i], y, size, wanted) + track(from, to));
    d += `H${left + near}`;
    at = [left + near, at[1]];
  }
  bend(x[to] + far, end);
  return {d, end: at, turn: step > 0 ? 0 : 180};
}

/* The gaps where a line can cross a column: above it, below it, or between two boxes. */
function gap(column, y, size, wanted) {
  const first = y[column[0]] - size.gap / 2;
  const pitch = size.height + size.gap;
  const nth = (wanted - first) / pitch;
  return nth <= 0 || nth >= column.length ? wanted : first + Math.round(nth) * pitch;
}

/* Spreads the lines in one gap, as far as there is room. */
const track = (from, to) => ((from * 7 + to) % 3 - 1) * 2;
