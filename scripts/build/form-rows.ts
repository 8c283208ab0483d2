/**
 * Expands the rows of a form: `<cemm-row field="host" icon="globe" placeholder hint />` is a label with an icon, an input and a
 * hint. The rule of the field in config.ts decides the kind of input: a select for a list of values, a checkbox for a boolean,
 * a narrow field for a number, a typed input for a property with a kind, and a password for a credential.
 */
import { readFileSync } from 'node:fs';
import { nodeTypes } from '../../nodes/check-flow/node-types';
import { own } from '../../nodes/lib/stored/field-rules';
import { home } from './catalogue';

/**
 * `label`, `placeholder`, `hint` and `unit` are keys of sentences. A label is `field.<field>` unless given; `placeholder` and
 * `hint` without a value are `placeholder.<field>` and `hint.<field>`. `options` is where the sentences of the options are, by
 * default `<field>`. `picks` adds a place for a pick list.
 */
const parameters = [
  'field',
  'icon',
  'class',
  'id',
  'label',
  'placeholder',
  'unit',
  'options',
  'hint',
  'picks',
] as const;
type Row = Readonly<Partial<Record<(typeof parameters)[number], string>>>;

/** Lines between the two tags come below the input. In a select they are options, which replace those of the same values. */
const rowPattern = /^[ \t]*<cemm-row\b((?:[^">/]|"[^"]*")*)(?:\/>|>\n\s*([^]*?)\s*<\/cemm-row>)\n/gm;
const parameterPattern = /([^\s="]+)(?:="([^"]*)")?/g;

const styleSheet = require.resolve('@node-red/editor-client/public/vendor/font-awesome/css/font-awesome.min.css');
const icons = new Set(readFileSync(styleSheet, 'utf8').match(/(?<=\.fa-)[\w-]+(?=:before)/g));

/**
 * @param type of the node, whose properties the rows show
 * @throws {Error} for a parameter, property or icon that does not exist
 */
export function withRows(form: string, type: string): string {
  const expanded = form.replace(rowPattern, (_row, text: string, inner: string | undefined) =>
    htmlOf(parseRow(text, type), inner ?? '', type),
  );
  const unread = /<\/?cemm-row.*/.exec(expanded);
  if (unread !== null) throw new Error(`The form of ${type} has a row that cannot be read: ${unread[0]}`);
  return expanded;
}

function parseRow(text: string, type: string): Row {
  return Object.fromEntries(
    [...text.matchAll(parameterPattern)].map(([, name = '', value = '']) => {
      if (parameters.some((known) => known === name)) return [name, value];
      throw new Error(`A row in the form of ${type} has the unknown parameter ${name}.`);
    }),
  );
}

function htmlOf(row: Row, inner: string, type: string): string {
  const { field = '', icon = '', label = `field.${field}`, placeholder, unit, hint, picks } = row;
  const id = `${type === home ? 'node-config-input' : 'node-input'}-${field}`;
  const shown = placeholder === undefined ? '' : ` data-i18n="[placeholder]${placeholder || `placeholder.${field}`}"`;
  const kind = findRowKind(type, field);
  if (kind !== 'checkbox' && !icons.has(icon))
    throw new Error(`The row of ${field} in the form of ${type} has the unknown icon ${icon}.`);
  const labelled = `<label for="${id}"><i class="fa fa-${icon}"></i> <span data-i18n="${label}"></span></label>`;
  const inputs: Readonly<Record<Kind, readonly string[]>> = {
    checkbox: [
      `<input type="checkbox" id="${id}" />`,
      `<label for="${id}" class="cemm-choice" data-i18n="${label}"></label>`,
      inner,
    ],
    number: [
      labelled,
      `<input type="text" inputmode="decimal" id="${id}" class="cemm-number"${shown} />`,
      unit === undefined ? '' : `<span data-i18n="${unit}"></span>`,
      inner,
    ],
    password: [labelled, `<input type="password" id="${id}" autocomplete="new-password" />`, inner],
    select: [labelled, `<select id="${id}">`, inner, ...optionsOf(row, inner, type), '</select>'],
    text: [labelled, `<input type="text" id="${id}"${shown} />`, inner],
    typed: [labelled, `<input type="text" id="${id}"${shown} />`, `<input type="hidden" id="${id}Type" />`, inner],
  };
  return [
    `<div class="${['form-row', row.class ?? ''].join(' ').trim()}"${row.id === undefined ? '' : ` id="${row.id}"`}>`,
    ...inputs[kind],
    hint === undefined ? '' : `<div class="cemm-hint" data-i18n="${hint || `hint.${field}`}"></div>`,
    picks === undefined ? '' : `<div class="cemm-picks" id="cemm-picks-${field}"></div>`,
    '</div>\n',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

type Kind = 'checkbox' | 'number' | 'password' | 'select' | 'text' | 'typed';

function findRowKind(type: string, field: string): Kind {
  const node = nodeTypes[type];
  const rule = own(node?.rules ?? {}, field);
  if (node?.credentials.includes(field) === true) return 'password';
  if (rule === undefined)
    throw new Error(`The form of ${type} has a row for ${field}, which is no property of the node.`);
  if (rule.typed !== undefined) return 'typed';
  if (rule.values !== undefined) return 'select';
  if (rule.is === 'list') throw new Error(`The list ${field} of ${type} has more than one row.`);
  return rule.is === 'boolean' ? 'checkbox' : rule.is;
}

function optionsOf({ field = '', options = field }: Row, inner: string, type: string): string[] {
  const values = nodeTypes[type]?.rules[field]?.values ?? [];
  return values
    .filter((value) => !inner.includes(`<option value="${value}"`))
    .map((value) => `<option value="${value}" data-i18n="${options}.${value}"></option>`);
}
