// Computes how two texts differ, line by line.

/** If more lines differ, they are not matched: the whole middle is shown as replaced. */
const MOST_EDITS = 300;

/** The number of unchanged lines shown around a difference. */
const AROUND = 3;

const linesOf = text => text.split('\n');

/**
 * The differences, in text order: `{sign, text}` for each differing line and its context, where `sign` is `+`, `−` or a space, and
 * `{left}` for the number of unchanged lines in between.
 */
export function compareLines(before, after) {
  const [old, young] = [linesOf(before), linesOf(after)];
  let begin = 0;
  const least = Math.min(old.length, young.length);
  while (begin < least && old[begin] === young[begin]) {
    begin++;
  }
  let end = 0;
  while (end < least - begin && old[old.length - 1 - end] === young[young.length - 1 - end]) {
    end++;
  }
  const edits = matched(old.slice(begin, old.length - end), young.slice(begin, young.length - end));
  const same = lines => lines.map(text => ({sign: ' ', text}));
  return folded([...same(old.slice(Math.max(0, begin - AROUND), begin)), ...edits, ...same(old.slice(old.length - end, old.length - end + AROUND))],
      Math.max(0, begin - AROUND), Math.max(0, end - AROUND));
}

/* Of a long run of equal lines, only those next to a difference are shown. */
function folded(lines, before, after) {
  const kept = lines.map(() => false);
  lines.forEach(({sign}, i) => {
    if (sign !== ' ') {
      kept.fill(true, Math.max(0, i - AROUND), i + AROUND + 1);
    }
  });
  const found = before > 0 ? [{left: before}] : [];
  lines.forEach((line, i) => {
    if (kept[i]) {
      found.push(line);
    } else if (found.at(-1)?.left) {
      found.at(-1).left++;
    } else {
      found.push({left: 1});
    }
  });
  if (after > 0) {
    found.at(-1)?.left ? found.at(-1).left += after : found.push({left: after});
  }
  return found;
}

/* The shortest edit script (Myers: An O(ND) Difference Algorithm). */
function matched(old, young) {
  const all = [...old.map(text => ({sign: '−', text})), ...young.map(text => ({sign: '+', text}))];
  if (old.length === 0 || young.length === 0) {
    return all;
  }
  const most = Math.min(MOST_EDITS, old.length + young.length);
  const furthest = new Map([[1, 0]]);
  const trace = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      let x = isDown(furthest, k, edits) ? furthest.get(k + 1) : furthest.get(k - 1) + 1;
      while (x < old.length && x - k < young.length && old[x] === young[x - k]) {
        x++;
      }
      furthest.set(k, x);
      if (x >= old.length && x - k >= young.length) {
        return back(old, young, trace);
      }
    }
  }
  return all;
}

const isDown = (furthest, k, edits) => k === -edits || (k !== edits && furthest.get(k - 1) < furthest.get(k + 1));

function back(old, young, trace) {
  const found = [];
  let [x, y] = [old.length, young.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits];
    const k = x - y;
    const from = isDown(furthest, k, edits) ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : furthest.get(from);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      found.push({sign: ' ', text: old[--x]});
      y--;
    }
    if (edits > 0) {
      found.push(from === k + 1 ? {sign: '+', text: young[--y]} : {sign: '−', text: old[--x]});
    }
  }
  return found.reverse();
}
