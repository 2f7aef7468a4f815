// The change that sets parameters of a Heat stack: an environment with the values, and the stack, which reads it.

import {isEncrypted, renderings, sources} from './store.js';
import {get, yaml} from './tree.js';

const STACK = 'heat/Stack/v1';
const ENVIRONMENT = 'heat/Environment/v1';
const SECTIONS = ['parameters', 'parameter_defaults'];
const MOST_NAMES = 20;

const setting = (map, key, value) => new Map([...map ?? [], [key, value]]);

/**
 * Returns the documents to publish, as YAML: `{bucket, origin, text}`, where `origin` is the file in which the author keeps the stack.
 *
 * @param name of the stack
 * @param given sections of an environment, each with its values
 * @param isSecret whether a value is for a hidden parameter
 */
export async function environmentChange(workspace, name, given, isSecret, signal) {
  const found = get(await sources(workspace, {schema: STACK, name}, null, signal), 'items').at(-1);
  if (found === undefined) {
    throw new Error(`There is no stack ${name} any more.`);
  }
  const stack = get(found, 'document');
  const bucket = get(found, 'bucket');
  if (isEncrypted(stack)) {
    throw new Error('The stack is encrypted, so this page does not have its text. Download the environment, publish it as a heat/Environment/v1, and name it in the stack.');
  }
  const environment = await environmentFor(workspace, name, stack, bucket, isSecret, signal);
  const data = SECTIONS.filter(section => given.get(section)?.size > 0).reduce(
      (all, section) => setting(all, section, new Map([...get(all, section) ?? [], ...given.get(section)])), get(environment, 'data'));
  const used = await environmentsOf(workspace, name, stack, signal);
  const file = get(environment, 'metadata', 'name');
  const documents = [setting(environment, 'data', data)];
  if (!used.includes(file)) {
    documents.push(setting(stack, 'data', setting(get(stack, 'data'), 'environments', [...used, file])));
  }
  return {bucket, origin: get(found, 'origin'), text: documents.map(yaml).join('---\n')};
}

/* Returns the environment of an earlier change like this, or a new one. The page cannot extend encrypted environments: it lacks their values. */
async function environmentFor(workspace, name, stack, bucket, isSecret, signal) {
  for (let i = 1; i <= MOST_NAMES; i++) {
    const file = `${name}-values${i === 1 ? '' : `-${i}`}.yaml`;
    const items = get(await sources(workspace, {schema: ENVIRONMENT, name: file}, null, signal), 'items');
    if (items.length === 0) {
      const metadata = new Map([['schema', 'metadata/Document/v1'], ['name', file],
        ['storagePolicy', isSecret ? 'encrypted' : 'cleartext'],
        ['layeringDefinition', new Map([['layer', get(stack, 'metadata', 'layeringDefinition', 'layer')]])]]);
      return new Map([['schema', ENVIRONMENT], ['metadata', metadata], ['data', new Map()]]);
    }
    const document = get(items[0], 'document');
    if (items.length === 1 && get(items[0], 'bucket') === bucket && !isEncrypted(document) && !isSecret) {
      return document;
    }
  }
  throw new Error(`There are ${MOST_NAMES} environments ${name}-values… already. Download this one, and name it in the stack.`);
}

/* A stack may inherit its environments from its parent. */
async function environmentsOf(workspace, name, stack, signal) {
  const rendered = get(await renderings(workspace, {schema: STACK, name}, null, signal), 'items')[0];
  return get(rendered, 'data', 'environments') ?? get(stack, 'data', 'environments') ?? [];
}
