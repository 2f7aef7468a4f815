// Elements are made here and nowhere else. Text becomes a text node whatever it holds: nothing that comes from a document
// is ever read as HTML.

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

/* Characters that cannot be seen, and yet change what is: they turn the direction of what follows, hide a difference, or are none. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** A text as it may be shown: what cannot be seen by its number. */
export const visible = text => String(text).replace(UNSEEN, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Appends nodes and text. Lists are opened; what is null or false is left out. */
export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : document.createTextNode(visible(child)));
    }
  }
  return element;
}

/** An element: `h('a.name', {href: '#/', onclick: f}, 'text', [more])`. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length > 0) {
    element.className = classes.join(' ');
  }
  return fill(element, attributes, children);
}

/** The same for pictures. */
export function svg(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElementNS(SVG, name);
  if (classes.length > 0) {
    element.setAttribute('class', classes.join(' '));
  }
  return fill(element, attributes, children);
}

/** A path or a name, which may go on in the next line between its parts, and not in the midst of a word. */
export const breakable = text => text.split(/(?<=[/_-])|(?=\.)/).map((part, i) => [i > 0 && h('wbr'), part]);

export function replace(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/**
 * Whether somebody is pressing on an element right now. What is drawn again between press and release would take the click away;
 * `after` is called when it may be.
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

/** Hands over a file that the page made. */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = h('a', {href: url, download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
