// The parameters of a tree of Heat templates, and a form for those without a value.

import {download, h, replace} from './dom.js';
import {environmentChange} from './environment.js';
import {planning} from './plan.js';
import {get, kind, Num, scalar, yaml} from './tree.js';
import {some} from './words.js';

/**
 * The view of a document of schema heat/ParameterSchema/v1.
 *
 * @param stack the `workspace` and `name` of the stack
 */
export function parameters(data, stack) {
  const wanted = get(data, 'needs_input') ?? [];
  const counts = get(data, 'counts');
  const errors = get(data, 'errors') ?? [];
  const number = name => counts ? get(counts, name)?.text ?? '0' : null;
  return h('div.scroll', {}, h('div.page', {},
      get(data, 'Description') && h('p', {}, get(data, 'Description')),
      counts && h('dl.figures', {}, [['stacks', 'stacks'], ['parameters', 'parameters'], ['needs_input', 'need input'], ['errors', 'errors']]
          .map(([name, title]) => h('div', {}, h('dt', {}, title), h('dd', {}, number(name))))),
      errors.map(each => h('div.problem', {}, h('strong', {}, get(each, 'code') ?? 'Error'), h('p.message', {}, get(each, 'message')),
          h('p.hint.mono', {}, [get(each, 'file'), get(each, 'place')].filter(each => typeof each === 'string').join(' ')))),
      wanted.length > 0 && form(wanted, stack), h('h2', {}, 'Parameters'), table(get(data, 'Parameters'))));
}

function form(wanted, {workspace, name, signal}) {
  const fields = wanted.map((each, i) => {
    const type = get(each, 'Type');
    const hidden = get(each, 'NoEcho') === 'true';
    const choices = type === 'Boolean' ? [true, false] : type === 'CommaDelimitedList' ? null : get(each, 'AllowedValues');
    const known = {id: `parameter-${i}`, 'aria-describedby': `parameter-${i}-hint`};
    const input = choices && !hidden
      ? h('select', known, h('option', {value: ''}, 'no value yet'), choices.map(choice => h('option', {value: scalarText(choice)}, scalarText(choice))))
      : h('input', {...known, type: hidden ? 'password' : 'text', inputmode: type === 'Number' ? 'decimal' : null, autocomplete: 'off', spellcheck: 'false'});
    const paths = get(each, 'Paths');
    // The section "parameters" applies to the top template only; "parameter_defaults" applies to all templates.
    const section = paths.length === 1 && paths[0] === get(each, 'Name') ? 'parameters' : 'parameter_defaults';
    return {name: get(each, 'Name'), type, section, hidden, input, field: h('div.field', {},
        h('label', {for: known.id}, get(each, 'Label') ?? get(each, 'Name')), input,
        h('p.hint', {id: `parameter-${i}-hint`}, [type, get(each, 'Description'), constraints(each), `used at ${paths.join(', ')}`].filter(Boolean).join(' · ')))};
  });
  const result = h('pre.value', {tabindex: 0, 'aria-label': 'Environment', hidden: true});
  const said = h('div', {role: 'status'});
  const filled = () => fields.filter(each => each.input.value !== '');
  const given = () => new Map(['parameters', 'parameter_defaults'].map(section =>
    [section, new Map(filled().filter(each => each.section === section).map(each => [each.name, valueOf(each.type, each.input.value)]))])
      .filter(([, values]) => values.size > 0));
  const plan = h('button.primary', {type: 'submit'}, 'Plan these values');

  async function toPlan() {
    if (filled().length === 0) {
      replace(said, h('p.warn', {}, 'Enter a value first. Those left empty can wait.'));
      return;
    }
    plan.disabled = true;
    try {
      planning(workspace, await environmentChange(workspace, name, given(), filled().some(each => each.hidden), signal));
    } catch (failure) {
      replace(said, h('p.warn', {role: 'alert'}, failure.message));
    } finally {
      plan.disabled = false;
    }
  }

  return h('form', {onsubmit: event => {
    event.preventDefault();
    toPlan();
  }},
  h('h2', {}, `${some(wanted.length, 'parameter needs a value', 'parameters need a value')}`),
  h('p.hint', {}, 'Nothing is changed before you publish what the plan shows.'), fields.map(each => each.field),
  h('p.actions', {}, plan, h('button', {type: 'button', onclick: () => {
    result.hidden = false;
    replace(result, yaml(given()));
  }}, 'Show the environment'),
  h('button', {type: 'button', onclick: () => download('environment.yaml', 'application/yaml', yaml(given()))}, 'Download')), said, result);
}

const scalarText = value => typeof value === 'string' ? value : scalar(value);

/* Describes the constraints of a value, in the template's own words if it has some. */
function constraints(each) {
  const says = name => get(each, name) === undefined ? null : scalarText(get(each, name));
  const bounds = (what, least, most) => least === null && most === null ? null
    : `${what} ${least === null ? `at most ${most}` : most === null ? `at least ${least}` : `${least} to ${most}`}`;
  const allowed = get(each, 'AllowedValues');
  return get(each, 'ConstraintDescription') ?? ([
    bounds('length', says('MinLength'), says('MaxLength')), bounds('range', says('MinValue'), says('MaxValue')),
    says('Step') && `a multiple of ${says('Step')} plus ${says('Offset') ?? 0}`,
    says('AllowedPattern') && `matches ${says('AllowedPattern')}`, allowed && `one of ${allowed.map(scalarText).join(', ')}`,
    says('CustomConstraint') && `checked by Heat: ${says('CustomConstraint')}`,
  ].filter(Boolean).join(', ') || null);
}

/* Parses like Heat: a number keeps its notation. */
function valueOf(type, text) {
  if (type === 'Number' && /^-?\d+(\.\d+)?$/.test(text)) {
    return new Num(text);
  }
  return type === 'Boolean' && /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
}

function table(all) {
  if (!(all instanceof Map) || all.size === 0) {
    return h('p.muted', {}, 'There are none.');
  }
  return h('table.plain', {'aria-label': 'Parameters'}, h('thead', {}, h('tr', {}, ['Name', 'Type', 'Value or default', 'Description'].map(each => h('th', {scope: 'col'}, each)))),
      h('tbody', {}, [...all].map(([name, each]) => {
        const value = get(each, 'Value') ?? get(each, 'Default');
        return h('tr', {}, h('td', {}, h('strong', {}, name)), h('td', {}, get(each, 'Type')),
            h('td.mono', {}, value === undefined ? h('span.muted', {}, '–') : kind(value) === 'object' ? yaml(value) : scalar(value)), h('td', {}, get(each, 'Description')));
      })));
}
