// The only module that creates elements. Text always becomes a text node: nothing from a document is parsed as HTML.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  append(element, children);
  return element;
}

/* Invisible characters that change meaning: they reverse the direction of text, hide a difference, or are invalid. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Returns a text with each invisible character replaced by its number. */
export const visible = text => String(text).replace(UNSEEN, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Appends nodes and text. Flattens lists, and skips null and false. */
export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : document.createTextNode(visible(child)));
    }
  }
  return element;
}

/** Creates an element: `h('a.name', {href: '#/', onclick: f}, 'text', [more])`. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length > 0) {
    element.className = classes.join(' ');
  }
  return fill(element, attributes, children);
}

/** Creates an SVG element in the same way. */
export function svg(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElementNS(SVG, name);
  if (classes.length > 0) {
    element.setAttribute('class', classes.join(' '));
  }
  return fill(element, attributes, children);
}

/** A path or name with line breaks allowed between its parts, but not inside a word. */
export const breakable = text => text.split(/(?<=[/_-])|(?=\.)/).map((part, i) => [i > 0 && h('wbr'), part]);

export function replace(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/**
 * Whether the user is pressing on an element now. A redraw between press and release would swallow the click; `after` is called
 * when a redraw is safe.
 */
export function press(element, after, signal) {
  let isDown = false;
  element.addEventListener('pointerdown', () => {
    isDown = true;
  });
  const release = () => setTimeout(() => {
    if (isDown) {
      isDown = false;
      after();
    }
  });
  window.addEventListener('pointerup', release, {signal});
  window.addEventListener('pointercancel', release, {signal});
  return () => isDown;
}

/** Offers a generated file for download. */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = h('a', {href: url, download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
