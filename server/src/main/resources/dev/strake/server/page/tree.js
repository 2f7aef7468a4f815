// Trees of documents without loss. JSON.parse would turn 1.0 into 1, round large integers, reorder keys such as "10",
// and treat the key "__proto__" specially.
//
//   mapping  Map       list  Array       number  Num (its text)       text, boolean, null as themselves

/** A number in its original notation. */
export class Num {
  constructor(text) {
    this.text = text;
  }
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = [['true', true], ['false', false], ['null', null]];

/** Parses JSON. */
export function parse(text) {
  const reader = new Reader(text);
  const value = reader.value();
  reader.space();
  if (reader.at < text.length) {
    throw reader.error();
  }
  return value;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  error() {
    return new SyntaxError(`no JSON at ${this.at}`);
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) {
      throw this.error();
    }
    this.at = pattern.lastIndex;
    return found[0];
  }

  space() {
    this.match(SPACE);
  }

  peek() {
    this.space();
    return this.text[this.at];
  }

  expect(character) {
    if (this.peek() !== character) {
      throw this.error();
    }
    this.at++;
  }

  value() {
    const next = this.peek();
    if (next === '{') {
      return this.mapping();
    } else if (next === '[') {
      return this.list();
    } else if (next === '"') {
      return this.string();
    }
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return new Num(this.match(NUMBER));
  }

  string() {
    const raw = this.raw();
    return raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1);
  }

  /* Not with a regular expression: texts may have megabytes. */
  raw() {
    for (let end = this.text.indexOf('"', this.at + 1); end >= 0; end = this.text.indexOf('"', end + 1)) {
      let before = end - 1;
      while (this.text[before] === '\\') {
        before--;
      }
      if ((end - before) % 2 === 1) {
        const raw = this.text.slice(this.at, end + 1);
        this.at = end + 1;
        return raw;
      }
    }
    throw this.error();
  }

  mapping() {
    const map = new Map();
    this.at++;
    if (this.peek() === '}') {
      this.at++;
      return map;
    }
    for (;;) {
      this.space();
      const key = this.string();
      this.expect(':');
      map.set(key, this.value());
      if (this.peek() === '}') {
        this.at++;
        return map;
      }
      this.expect(',');
    }
  }

  list() {
    const list = [];
    this.at++;
    if (this.peek() === ']') {
      this.at++;
      return list;
    }
    for (;;) {
      list.push(this.value());
      if (this.peek() === ']') {
        this.at++;
        return list;
      }
      this.expect(',');
    }
  }
}

/** Returns the value at some keys of a tree; undefined if it does not exist. */
export function get(value, ...keys) {
  for (const key of keys) {
    value = value instanceof Map ? value.get(key) : undefined;
  }
  return value;
}

/** Converts a tree to the plain objects of JSON.parse, for data that comes from the service and not from an author. */
export function plain(value) {
  if (value instanceof Num) {
    return Number(value.text);
  } else if (Array.isArray(value)) {
    return value.map(plain);
  }
  return value instanceof Map ? Object.fromEntries([...value].map(([key, each]) => [key, plain(each)])) : value;
}

const BARE = /^[A-Za-z_@][A-Za-z0-9_@-]*$/;
const RESERVED = new Set(['where', 'wherenot']);

/** Returns the path of a place in the notation of commands and routes. */
export function path(steps) {
  if (steps.length === 0) {
    return '.';
  }
  return steps.map(step => {
    if (typeof step === 'number') {
      return `[${step}]`;
    }
    return BARE.test(step) && !RESERVED.has(step) ? `.${step}` : `['${step.replace(/[\\']/g, '\\$&')}']`;
  }).join('');
}

/** Matches texts that a YAML parser would not read as text. */
const AMBIGUOUS = /^(?:[-+]?[\d.][\d._eE+:xXoa-fA-F-]*|~|null|true|false|yes|no|on|off|y|n|\.(?:inf|nan))$/i;
const PLAIN = /^[A-Za-z0-9_./$(^][^:#]*$/;
const ALMOST_PLAIN = /^[A-Za-z0-9_./].*$/;
const MARKS = /: |:$| #/;

/* Matches characters that YAML allows only inside quotes, and invisible ones. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/;

const quoted = text => JSON.stringify(text).replace(new RegExp(HIDDEN, 'g'), each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/* Multi-line texts are written as blocks if no spaces can be lost. */
const isBlock = text => text.includes('\n') && text.length > 1 && !/^\s|[ \t]\n|[ \t]$|\n\n$/.test(text) && !HIDDEN.test(text.replaceAll('\n', ''));

/* Like commands: YAML 1.1 parsers need a point and a signed exponent in numbers with an exponent. */
const forAllReaders = number => /\.\d+[eE][-+]/.test(number) ? number : number.replace(/^(-?\d+)(\.\d+)?[eE]([-+]?)(\d+)$/, (all, whole, rest, sign, exponent) => `${whole}${rest ?? '.0'}e${sign || '+'}${exponent}`);

/** Returns a scalar as YAML. */
export function scalar(value) {
  if (value === null) {
    return 'null';
  } else if (value instanceof Num) {
    return forAllReaders(value.text);
  } else if (typeof value !== 'string') {
    return Array.isArray(value) ? '[]' : value instanceof Map ? '{}' : String(value);
  }
  const plain = PLAIN.test(value) || (ALMOST_PLAIN.test(value) && !MARKS.test(value));
  return plain && !AMBIGUOUS.test(value) && !value.endsWith(' ') && !HIDDEN.test(value) ? value : quoted(value);
}

const isEmpty = value => value instanceof Map ? value.size === 0 : Array.isArray(value) && value.length === 0;
const isBranch = value => (value instanceof Map || Array.isArray(value)) && !isEmpty(value);

export function kind(value) {
  return value === null ? 'null' : value instanceof Num ? 'number' : typeof value === 'string' ? 'text' : typeof value;
}

/**
 * Returns the lines of a tree as YAML: `{depth, dash, key, value, kind, steps, leaf}`. `value` is text, or undefined if the value is on
 * the lines below. Lines of a text have the steps of that text, and no key.
 */
export function lines(value, most = Infinity) {
  const found = [];
  // Without recursion, because documents may be nested deeply.
  const open = [{value, depth: 0, steps: [], key: null, dash: 0}];
  while (open.length > 0 && found.length < most) {
    const {value: each, depth, steps, key, dash} = open.pop();
    if (!isBranch(each)) {
      const several = typeof each === 'string' && isBlock(each);
      const base = {depth, dash, key, steps, leaf: true, whole: each};
      if (!several) {
        found.push({...base, value: scalar(each), kind: kind(each)});
      } else {
        const parts = each.split('\n');
        found.push({...base, value: parts.at(-1) === '' ? '|' : '|-', kind: 'block'});
        if (parts.at(-1) === '') {
          parts.pop();
        }
        parts.forEach(part => found.push({depth: depth + dash + (key === null ? 0 : 1), dash: 0, key: null, steps, value: part, kind: 'text', leaf: false}));
      }
      continue;
    }
    // The first line of an item is on the line of its dash.
    let inner = depth;
    let beside = dash;
    if (key !== null) {
      found.push({depth, dash, key, steps, leaf: false});
      inner = depth + dash + 1;
      beside = 0;
    }
    const entries = each instanceof Map ? [...each] : [...each.entries()];
    for (let i = entries.length - 1; i >= 0; i--) {
      const [step, below] = entries[i];
      const first = i === 0;
      open.push({
        value: below,
        depth: first ? inner : inner + beside,
        steps: [...steps, step],
        key: each instanceof Map ? step : null,
        dash: (first ? beside : 0) + (each instanceof Map ? 0 : 1),
      });
    }
  }
  return found;
}

/** Returns a tree as YAML. */
export function yaml(value) {
  return lines(value).map(line => {
    const indent = '  '.repeat(line.depth) + '- '.repeat(line.dash);
    const key = line.key === null ? '' : `${scalar(line.key)}:`;
    return indent + key + (line.value === undefined ? '' : (key && ' ') + line.value);
  }).join('\n') + '\n';
}
