// Data of a workspace that several views need, requested once per revision.

import {all, ask, askTree, route} from './api.js';
import {get} from './tree.js';

const GRAPHS = new Map();
const MOST = 4;

/** The key of a document in a graph. */
export const idOf = ({schema, layer, name}) => `${schema}\n${layer ?? ''}\n${name}`;

export const keyOf = ({schema, name}) => `${schema}\n${name}`;

/**
 * The documents of a revision without contents, and their dependencies: `{revision, status, layers, items, byId, users}`. `users` contains,
 * for each document, the documents that depend on it.
 */
export async function graph(workspace, revision, signal, each) {
  const answer = await all(route(workspace, 'graph', {revision}), {signal, each});
  const known = GRAPHS.get(workspace);
  if (known?.revision === answer.revision) {
    return known;
  }
  const byId = new Map(answer.items.map(item => [idOf(item), item]));
  const users = new Map();
  for (const item of answer.items) {
    for (const use of item.uses ?? []) {
      const id = idOf(use);
      if (!users.has(id)) {
        users.set(id, []);
      }
      users.get(id).push({item, reason: reasonOf(item, use)});
    }
  }
  const found = {...answer, byId, users};
  GRAPHS.delete(workspace);
  GRAPHS.set(workspace, found);
  if (GRAPHS.size > MOST) {
    GRAPHS.delete(GRAPHS.keys().next().value);
  }
  return found;
}

/** The kinds of edges, each with a name and a style that does not depend on colour. */
export const EDGES = {
  'layers on': {title: 'parent', dash: '', head: 'arrow'},
  replaces: {title: 'replacement', dash: '', head: 'bar', double: true},
  'substitutes from': {title: 'substitution', dash: '7 3', head: 'dot'},
  'is operated on by': {title: 'operations', dash: '2 3', head: 'square'},
  'is checked by': {title: 'schema', dash: '10 3 2 3', head: 'diamond'},
  'is derived from': {title: 'derived', dash: '1 4', head: 'arrow'},
};

/** A replacement layers on the document that it replaces, but is shown as a separate kind. */
export function reasonOf(item, use) {
  return use.reason === 'layers on' && item.replacement && item.name === use.name && item.schema === use.schema ? 'replaces' : use.reason;
}

/** The head of a workspace, or one of its revisions: its status and what consumers have of it. */
export async function head(workspace, signal) {
  const {items, ...what} = await ask(route(workspace, 'buckets', {limit: 1}), {signal});
  return what;
}

/** The documents of one schema and name, in all layers, as published: trees. */
export function sources(workspace, id, revision, signal) {
  return askTree(route(workspace, 'documents', {schema: id.schema, name: id.name, revision}), {signal});
}

/** Whether a document is secret, so that this page shows masks instead of its values. */
export const isEncrypted = document => get(document, 'metadata', 'storagePolicy') === 'encrypted';

export function renderings(workspace, id, revision, signal) {
  return askTree(route(workspace, 'rendered', {schema: id.schema, name: id.name, revision}), {signal});
}
