// Finds documents in a YAML text, and the line of a path in one of them. It scans lines and indentation like a reader; in doubt, it
// returns the last line that is certain.

/** The documents of a text: `{from, to, schema, name, layer}`, with zero-based lines. */
export function documents(text) {
  const lines = text.split('\n');
  const found = [];
  let from = 0;
  for (let i = 0; i <= lines.length; i++) {
    if (i === lines.length || /^---(\s|$)/.test(lines[i])) {
      const part = lines.slice(from, i);
      const value = pattern => pattern.exec(part.join('\n'))?.[1]?.replace(/^(['"])(.*)\1$/, '$2') ?? null;
      const first = part.findIndex(line => line.trim() !== '' && !line.startsWith('#'));
      if (first >= 0) {
        found.push({
          from: from + first, to: i, schema: value(/^['"]?schema['"]?:\s*(.+?)\s*$/m),
          name: value(/^(?:\s+|metadata:\s*\{.*?)name:\s*([^\s,}]+)/m), layer: value(/\blayer:\s*([^\s,}]+)/),
        });
      }
      from = i + 1;
    }
  }
  return found;
}

/** The steps of a path in the notation of problems, such as `.metadata.substitutions[0].src`. */
const steps = path => [...path.matchAll(/(?:\.|\[)'((?:[^'\\]|\\.)*)'|\.([^.[\]]+)|\[(\d+)\]/g)].map(([, quoted, name, index]) =>
  index !== undefined ? Number(index) : quoted !== undefined ? quoted.replace(/\\(.)/g, '$1') : name);

const indent = line => /^ */.exec(line)[0].length;

const isBlank = line => line.trim() === '' || line.trimStart().startsWith('#');

/** The zero-based line of a path in a text; null if the text does not contain the document. */
export function locate(text, id, path) {
  const document = documents(text).find(each => each.schema === id.schema && each.name === id.name && (each.layer === null || !id.layer || each.layer === id.layer))
    ?? documents(text).find(each => each.name === id.name);
  if (!document) {
    return null;
  }
  const lines = text.split('\n');
  let at = document.from;
  let from = document.from;
  let deeper = -1;
  for (const step of steps(path ?? '')) {
    let level = null;
    let seen = -1;
    let next = null;
    for (let i = from; i < document.to; i++) {
      // A dash starts an item. Text on the same line has the indentation of the lines below.
      const line = lines[i];
      const isSameLine = i === from && deeper >= 0 && typeof step === 'string' && /^ *- /.test(line);
      const text = isSameLine ? line.replace(/- /, '  ') : line;
      if (isBlank(text)) {
        continue;
      }
      const depth = indent(text);
      if (depth <= deeper && !(typeof step === 'number' && depth === deeper && text[depth] === '-')) {
        if (i > from || depth < deeper) {
          break;
        }
        continue;
      }
      level ??= depth;
      if (depth !== level) {
        continue;
      }
      if (typeof step === 'number') {
        if (text[depth] === '-' && ++seen === step) {
          next = i;
          break;
        }
      } else {
        const key = /^ *(?:'([^']*)'|"([^"]*)"|([^\s:#][^:#]*?))\s*:(?:\s|$)/.exec(text);
        if (key && (key[1] ?? key[2] ?? key[3]) === step) {
          next = i;
          break;
        }
      }
    }
    if (next === null) {
      return at;
    }
    at = next;
    from = typeof step === 'number' ? next : next + 1;
    deeper = typeof step === 'number' ? indent(lines[next]) : level;
  }
  return at;
}
