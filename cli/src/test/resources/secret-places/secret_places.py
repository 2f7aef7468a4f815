#!/usr/bin/env python3
"""Works out where the encrypted values of a site end up, from its raw documents alone.

    secret_places.py DOCUMENTS RENDERED

DOCUMENTS are lines {"file": …, "document": …}, RENDERED the rendered documents that were recorded of them, one a line; both may
be compressed (.gz). Prints a line {"schema": …, "name": …, "places": [JSON pointers into data]} for each rendered document, sorted.

This is a second reading of the language, written by its description and not by the engine's code. A rendered document is
plain data, and beside it a set of paths: its secret places, which every step keeps up to date. Two things make them credible:
what is rendered here equals RENDERED, all of it, and once all encrypted values are others, the leaves that differ are those
at the places and no more.

It reads what the site airsloop has, and stops at everything else. Above all, an encrypted document is one text without parent
and substitutions. So a secret is always a leaf, and nothing is ever written into one.

Exit code: 0 printed, 1 what is rendered is not what was recorded, or the documents have something that is not read here.
Needs Python 3.8 and no modules.
"""
import copy, gzip, json, re, sys

DATA = ()  # the path of all data
STEP = re.compile(r"\.([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]")


class NotRead(Exception):
    """Something that this script does not read."""


def steps(path):
    """A path as a tuple of keys and indexes: ('values', 'hosts', 0)."""
    if path in ('.', '$'):
        return DATA
    found, at = [], 1 if path.startswith('$.') else 0
    while at < len(path):
        step = STEP.match(path, at)
        if not step:
            raise NotRead('the path ' + path)
        found.append(step[1] if step[1] is not None else int(step[2]))
        at = step.end()
    return tuple(found)


def pointer(path):
    return ''.join('/' + str(step).replace('~', '~0').replace('/', '~1') for step in path)


def has(data, path):
    for step in path:
        if isinstance(step, str):
            if not isinstance(data, dict) or step not in data:
                return False
        elif not isinstance(data, list) or step >= len(data):
            return False
        data = data[step]
    return True


def at(data, path):
    for step in path:
        data = data[step]
    return data


class Tree:
    """Data, and the paths of its secret places."""

    def __init__(self, data, places=()):
        self.data, self.places = copy.deepcopy(data), set(places)

    def copy(self):
        return Tree(self.data, self.places)

    def has(self, path):
        return has(self.data, path)

    def part(self, path):
        return Tree(at(self.data, path), {place[len(path):] for place in self.places if place[:len(path)] == path})

    def write(self, path, part):
        """Puts data at a path, and makes the path if it is not there. What was there is gone, and so are its places."""
        if path == DATA:
            self.data = copy.deepcopy(part.data)
        else:
            self.make(path)
            at(self.data, path[:-1])[path[-1]] = copy.deepcopy(part.data)
        if any(place == path[:len(place)] and place != path for place in self.places):
            raise NotRead('a write into a secret at ' + pointer(path))
        self.places = {place for place in self.places if place[:len(path)] != path} | {path + place for place in part.places}

    def make(self, path):
        data = self.data
        for n, step in enumerate(path):
            if isinstance(step, int):
                if not isinstance(data, list):
                    raise NotRead('an index in what is no list: ' + pointer(path))
                while len(data) <= step:
                    data.append({})
            else:
                if not isinstance(data, dict):
                    raise NotRead('a key in what is no map: ' + pointer(path))
                if step not in data:
                    data[step] = [] if n + 1 < len(path) and isinstance(path[n + 1], int) else {}
            data = data[step]

    def merge(self, path, part):
        if not (self.has(path) and isinstance(at(self.data, path), dict) and isinstance(part.data, dict)):
            self.write(path, part)
            return
        for key in part.data:
            self.merge(path + (key,), part.part((key,)))

    def texts(self, path, depth):
        """The paths of all texts below a path, that many levels deep at the most; -1 for all."""
        data = at(self.data, path)
        if isinstance(data, str):
            yield path
        elif depth != 0 and isinstance(data, (dict, list)):
            for key in list(data) if isinstance(data, dict) else range(len(data)):
                yield from self.texts(path + (key,), depth - 1)


def is_encrypted(document):
    return document['metadata'].get('storagePolicy') == 'encrypted'


def layering(document):
    return document['metadata'].get('layeringDefinition', {})


class Site:
    def __init__(self, documents):
        self.documents, self.trees, self.begun = documents, {}, set()
        policies = [each for each in documents if each['schema'] == 'deckhand/LayeringPolicy/v1']
        if len(policies) != 1:
            raise NotRead('%d layering policies' % len(policies))
        self.order = policies[0]['data']['layerOrder']
        self.check()
        self.parents = {n: self.parent(n) for n in range(len(documents))}
        self.replacements = {}
        for n, each in enumerate(documents):
            if each['metadata'].get('replacement'):
                self.replace(self.parents[n], n)
        self.sources = {}
        for n, each in enumerate(documents):
            if not layering(each).get('abstract') and n not in self.replacements:
                if self.sources.setdefault(name(each), n) != n:
                    raise NotRead('two of ' + '/'.join(name(each)))

    def check(self):
        for each in self.documents:
            metadata = each['metadata']
            is_control = metadata['schema'] == 'metadata/Control/v1'
            if set(each) != {'schema', 'metadata', 'data'}:
                raise NotRead('parts of a document: %s' % sorted(each))
            unknown = set(metadata) - {'schema', 'name', 'labels', 'storagePolicy', 'layeringDefinition', 'substitutions',
                                       'replacement'}
            unknown |= set(layering(each)) - {'layer', 'abstract', 'parentSelector', 'actions'}
            if unknown or is_control and set(metadata) - {'schema', 'name', 'labels'}:
                raise NotRead('metadata of ' + '/'.join(name(each)))
            if not is_control and metadata['schema'] != 'metadata/Document/v1':
                raise NotRead('documents of ' + metadata['schema'])
            if not is_control and metadata['storagePolicy'] not in ('cleartext', 'encrypted'):
                raise NotRead('the policy ' + metadata['storagePolicy'])
            if is_encrypted(each) and (not isinstance(each['data'], str) or not each['data'] or layering(each).get('abstract')
                                       or 'actions' in layering(each) or 'substitutions' in metadata):
                raise NotRead('%s, which is encrypted and not a text of its own' % '/'.join(name(each)))

    def parent(self, n):
        child, nearest = self.documents[n], []
        selector = layering(child).get('parentSelector')
        if not selector:
            return None
        for m, each in enumerate(self.documents):
            labels = each['metadata'].get('labels', {})
            if m == n or not all(key in labels and labels[key] == value for key, value in selector.items()):
                continue
            if each['schema'] != child['schema'] or not self.rank(m) < self.rank(n):
                raise NotRead('a parent of ' + '/'.join(name(child)) + ' in the wrong layer or of another schema')
            if nearest and self.rank(nearest[0]) < self.rank(m):
                nearest = []
            if not nearest or self.rank(nearest[0]) == self.rank(m):
                nearest.append(m)
        if len(nearest) > 1:
            raise NotRead('several parents of ' + '/'.join(name(child)))
        return nearest[0] if nearest else None

    def rank(self, n):
        return self.order.index(layering(self.documents[n])['layer'])

    def replace(self, parent, n):
        if parent is None or name(self.documents[parent]) != name(self.documents[n]):
            raise NotRead('a replacement of nothing')
        if parent in self.replacements or self.documents[parent]['metadata'].get('replacement'):
            raise NotRead('a replacement of a replacement, or two of one document')
        self.replacements[parent] = n

    def tree(self, n):
        """Document n as it renders, after all that it is made of."""
        if n not in self.trees:
            if n in self.begun:
                raise NotRead('a cycle')
            self.begun.add(n)
            document = self.documents[n]
            self.trees[n] = self.substituted(document, self.layered(n))
        return self.trees[n]

    def layered(self, n):
        document, parent = self.documents[n], self.parents[n]
        own = Tree(document['data'], {DATA} if is_encrypted(document) else ())
        if parent is None:
            return own
        if self.replacements.get(parent, n) != n:
            parent = self.replacements[parent]
        tree = self.tree(parent).copy()
        for action in layering(document)['actions']:
            path = steps(action['path'])
            if not own.has(path) or at(own.data, path) is None:
                raise NotRead('an action that brings nothing at ' + action['path'])
            if action['method'] == 'merge':
                tree.merge(path, own.part(path))
            elif action['method'] == 'replace':
                tree.write(path, own.part(path))
            else:
                raise NotRead('the method ' + action['method'])
        return tree

    def substituted(self, document, tree):
        for each in document['metadata'].get('substitutions', []):
            unknown = set(each) - {'src', 'dest'} | set(each['src']) - {'schema', 'name', 'path', 'pattern', 'match_group'}
            if unknown:
                raise NotRead('in a substitution: %s' % sorted(unknown))
            value = self.value(each['src'])
            for dest in each['dest'] if isinstance(each['dest'], list) else [each['dest']]:
                self.put(tree, dest, value)
        return tree

    def value(self, src):
        source, path = self.tree(self.sources[src['schema'], src['name']]), steps(src['path'])
        if not source.has(path) or at(source.data, path) is None:
            raise NotRead('a source without a value at ' + src['path'])
        value = source.part(path)
        if 'pattern' in src:
            if not isinstance(value.data, str):
                raise NotRead('a pattern to pick from what is no text')
            found = re.search(src['pattern'], value.data)
            if not found or found[src.get('match_group', 0)] is None:
                raise NotRead('a pattern that picks nothing')
            value = Tree(found[src.get('match_group', 0)], value.places)
        return value

    def put(self, tree, dest, value):
        if set(dest) - {'path', 'pattern', 'recurse'} or set(dest.get('recurse', {})) - {'depth'}:
            raise NotRead('a destination: %s' % sorted(dest))
        path = steps(dest['path'])
        if 'pattern' not in dest:
            if path == DATA:
                raise NotRead('a substitution into all data')
            tree.write(path, value)
            return
        if isinstance(value.data, bool) or not isinstance(value.data, (str, int)):
            raise NotRead('a pattern for what is neither text nor whole number')
        if not tree.has(path) or ('recurse' in dest) == isinstance(at(tree.data, path), str):
            raise NotRead('a pattern for what is no text, or not there')
        for text in list(tree.texts(path, dest.get('recurse', {'depth': 0})['depth'])):
            old = at(tree.data, text)
            new, count = re.subn(dest['pattern'], lambda found: str(value.data), old)
            if count:
                is_secret = value.places or text in tree.places
                tree.write(text, Tree(new, {DATA} if is_secret else ()))

    def rendered(self):
        """What comes out, as (document, tree)."""
        for n in sorted(self.sources.values(), key=lambda n: name(self.documents[n])):
            yield self.documents[n], self.tree(n)


def name(document):
    return document['schema'], document['metadata']['name']


def differences(one, other, path=DATA):
    """The paths of the leaves that differ."""
    if isinstance(one, dict) and isinstance(other, dict) and set(one) == set(other):
        for key in one:
            yield from differences(one[key], other[key], path + (key,))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for n in range(len(one)):
            yield from differences(one[n], other[n], path + (n,))
    elif text(one) != text(other):
        yield path


def text(value):
    return json.dumps(value, sort_keys=True)


def with_other_secrets(documents):
    return [{**each, 'data': 'another secret %d' % n} if is_encrypted(each) else each for n, each in enumerate(documents)]


def lines(file):
    with (gzip.open(file, 'rt', encoding='utf-8') if file.endswith('.gz') else open(file, encoding='utf-8')) as f:
        return [json.loads(line) for line in f]


def main(documents, recorded):
    documents = [each['document'] for each in lines(documents)]
    rendered = list(Site(documents).rendered())
    here = {name(document): text({**document, 'data': tree.data}) for document, tree in rendered}
    there = {name(document): text(document) for document in lines(recorded)}
    wrong = sorted('/'.join(each) for each in set(here) | set(there) if here.get(each) != there.get(each))
    if wrong:
        sys.exit('%d documents are rendered otherwise than recorded: %s' % (len(wrong), ', '.join(wrong[:5])))
    for (document, tree), (_, other) in zip(rendered, Site(with_other_secrets(documents)).rendered()):
        if set(differences(tree.data, other.data)) != tree.places:
            sys.exit('the places are not where secrets make a difference: ' + '/'.join(name(document)))
        print(json.dumps({'schema': document['schema'], 'name': document['metadata']['name'],
                          'places': sorted(pointer(place) for place in tree.places)}))


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except NotRead as e:
        sys.exit('not read here: %s' % e)
