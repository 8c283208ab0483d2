/**
 * The stored properties of a node from their rules, and constants of the dialogs. Imports nothing, because Node-RED loads it at
 * its start.
 */
import type { AnyRules } from './field-rules';

type ValueOf<Rule> = Rule extends { readonly typed: unknown }
  ? string
  : Rule extends { readonly values: readonly (infer Value)[] }
    ? Value
    : Rule extends { readonly is: 'list' }
      ? readonly unknown[]
      : Rule extends { readonly is: 'boolean' }
        ? boolean
        : Rule extends { readonly is: 'number'; readonly default: number }
          ? number
          : Rule extends { readonly is: 'number' }
            ? number | string
            : string;

/** The stored properties of a node, from its rules. */
export type ConfigOf<Rules> = { -readonly [Property in keyof Rules]: ValueOf<Rules[Property]> };

export function defaultsOf<Rules extends AnyRules>(rules: Rules): ConfigOf<Rules> {
  const entries = Object.entries(rules).map(([property, rule]) => [property, rule.default]);
  return Object.fromEntries(entries) as ConfigOf<Rules>;
}

export const nameField = { is: 'text', default: '' } as const;

/** Prices as JSON, or the name of where they are; `none` has no value. */
export const pricesField = {
  is: 'text',
  typed: ['none', 'json'],
  check: 'prices',
  checksKind: true,
  default: '',
} as const;

/** Required by every admin route: a form of another site cannot send it (admin-routes.ts). */
export const requestHeader = 'X-CEMM-Request';

/** Content of an unchanged password field in the editor: the key itself never leaves the server. */
export const untouched = '__PWRD__';
