"""Reads a file whose lines are streams of YAML, each as a JSON text, with PyYAML's safe loader. Prints for each the values that
it found, as one line of JSON. What JSON cannot tell apart, or does not have, stands as {"!TYPE": ...}."""
import json, struct, sys
import yaml


def told(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return {'!int': str(value)}
    if isinstance(value, float):
        return {'!float': struct.pack('>d', value).hex()}
    if isinstance(value, list):
        return [told(each) for each in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else '!%s %s' % (type(key).__name__, key): told(each) for key, each in value.items()}
    return {'!' + type(value).__name__: str(value)}


# The one in C reads scalars by the same rules, and is ten times as fast.
loader = {'pure': yaml.SafeLoader, 'fast': getattr(yaml, 'CSafeLoader', yaml.SafeLoader)}[sys.argv[1]]
with open(sys.argv[2], encoding='utf-8') as streams:
    for stream in streams:
        try:
            print(json.dumps([told(each) for each in yaml.load_all(json.loads(stream), loader)]))
        except (yaml.YAMLError, ValueError) as e:
            print(json.dumps({'!error': str(e)}))
