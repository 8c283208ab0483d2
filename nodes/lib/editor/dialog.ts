/** The part of a dialog that is the same in every node, from the defaults and rules in the node's config.ts. */
import type { AnyRules, CheckName, FieldRule, RuleCheck } from '../stored/field-rules';
import { createCatalogueText } from './catalogue';
import { saveForm } from './fields';
import { type OpenForm, textFrom } from './open-form';
import type { NodeDefinition, PropertyDefinition } from './red';
import { ruleValidators } from './rule-validators';

interface Stored {
  readonly name: string;
  readonly version: number;
}

export interface DialogParts<Config extends Stored> {
  readonly form: OpenForm;
  readonly defaults: Config;
  readonly rules: AnyRules;
  /** The functions of all checks that the rules name. */
  readonly checks?: Partial<Readonly<Record<CheckName, RuleCheck>>>;
  /** Keys of the names of the ports; default of the input: "read now". */
  readonly input?: string;
  readonly outputs?: readonly string[];
  /** For properties of which a rule does not say everything. */
  readonly special?: { readonly [Property in keyof Config]?: Partial<PropertyDefinition<Config>> };
}

type Common =
  | 'defaults'
  | 'paletteLabel'
  | 'labelStyle'
  | 'inputLabels'
  | 'outputLabels'
  | 'oneditsave'
  | 'oneditcancel'
  | 'oneditdelete';

/** @returns what the build writes into the definition for `...dialog` (scripts/build/registration.ts) */
export function dialogOf<Config extends Stored>(
  type: string,
  parts: DialogParts<Config>,
): Required<Pick<NodeDefinition<Config>, Common>> {
  const { form, defaults, rules, input = 'form.input', outputs = [] } = parts;
  const text = createCatalogueText(type);
  return {
    defaults: propertiesOf(type, parts),
    paletteLabel: () => text('palette'),
    labelStyle() {
      // An imported node may lack a name.
      return textFrom(this.name) === '' ? '' : 'node_label_italic';
    },
    inputLabels: () => text(input),
    outputLabels: (port) => text(outputs[port] ?? ''),
    oneditsave() {
      form.close();
      saveForm(this, form.prefix, defaults, rules);
    },
    oneditcancel() {
      form.close();
    },
    oneditdelete() {
      form.close();
    },
  };
}

function propertiesOf<Config extends Stored>(
  type: string,
  { form, defaults, rules, checks = {}, special = {} }: DialogParts<Config>,
): Record<string, PropertyDefinition<Config>> {
  const ruled = ruleValidators<Config>(type, form, rules, checks);
  const own: Readonly<Record<string, Partial<PropertyDefinition<Config>> | undefined>> = special;
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]: [string, unknown]) => {
      const rule = rules[name];
      const { refersTo, needed } = rule ?? {};
      return [
        name,
        {
          value,
          ...(refersTo !== undefined && { type: refersTo, ...(needed !== true && { required: false }) }),
          ...(rule !== undefined && isChecked(rule) && { validate: ruled(name) }),
          ...own[name],
        },
      ];
    }),
  );
}

/** The form itself offers only the right values of other properties. */
function isChecked({ refersTo, typed, check, range, isInterval }: FieldRule): boolean {
  return refersTo === 'cemm-connection' || [typed, check, range, isInterval].some((part) => part !== undefined);
}
