/** The sections of the catalogues with a sentence for each name of a table: a name without one, in any language, does not compile. */
import 'should';
import balanceDe from '../../../nodes/cemm-balance/locales/de.json';
import balanceEn from '../../../nodes/cemm-balance/locales/en-US.json';
import balanceFr from '../../../nodes/cemm-balance/locales/fr.json';
import balanceNl from '../../../nodes/cemm-balance/locales/nl.json';
import { balancePeriods, type BalancePeriod } from '../../../nodes/cemm-balance/config';
import formatDe from '../../../nodes/cemm-format/locales/de.json';
import formatEn from '../../../nodes/cemm-format/locales/en-US.json';
import formatFr from '../../../nodes/cemm-format/locales/fr.json';
import formatNl from '../../../nodes/cemm-format/locales/nl.json';
import libDe from '../../../nodes/lib/locales/de.json';
import libFr from '../../../nodes/lib/locales/fr.json';
import libNl from '../../../nodes/lib/locales/nl.json';
import type { NamedAs } from '../../../nodes/lib/run/line-name';
import type { Language } from '../../../scripts/build/catalogue';
import { formats } from '../../../src/checks/limits';
import { type ErrorCode, errorCodes } from '../../../src/errors';
import type { FieldName } from '../../../src/model/fields';

type Named<Name extends string> = Readonly<Record<Name, string>>;
type Format = (typeof formats)[number];

/** Shown by the name of the field, or by a name of its own in Home Assistant. */
type Unnamed =
  | `price_${string}`
  | `${string}_reading_m3`
  | 'switch_raw'
  | 'self_consumption'
  | 'cost_import'
  | 'cost_export'
  | 'cost_gas'
  | 'cost_water'
  | keyof typeof formatEn.device;

interface OfFormats {
  readonly label: Named<Format>;
  readonly format: Named<Format>;
  readonly hint: Named<Format>;
  readonly line: Named<NamedAs<Exclude<FieldName, Unnamed>>>;
}

interface OfErrors {
  readonly error: Named<ErrorCode>;
  /** What was cancelled has the status of a node that was stopped. */
  readonly status: Named<Exclude<ErrorCode, 'CANCELLED'>>;
}

const ofFormats: Readonly<Record<Language, OfFormats>> = {
  'en-US': formatEn,
  nl: formatNl,
  de: formatDe,
  fr: formatFr,
};
/** Without English, whose sentences of errors are in `src/sentences.ts`: typecheck compares the keys of both. */
const ofErrors: Readonly<Record<Exclude<Language, 'en-US'>, OfErrors>> = { nl: libNl, de: libDe, fr: libFr };
const ofPeriods: Readonly<Record<Language, { readonly label: Named<BalancePeriod> }>> = {
  'en-US': balanceEn,
  nl: balanceNl,
  de: balanceDe,
  fr: balanceFr,
};

describe('the sections with a sentence for each name of a table', () => {
  it('have no format that the table lacks', () => {
    for (const { label, format } of Object.values(ofFormats)) {
      Object.keys(label)
        .sort()
        .should.eql([...formats].sort());
      Object.keys(format).should.eql(Object.keys(label));
    }
  });

  it('have no error that the table lacks', () => {
    for (const { error } of Object.values(ofErrors)) {
      Object.keys(error)
        .filter((key) => !errorCodes.some((code) => key === code || key.startsWith(`${code}_`)))
        .should.eql([]);
    }
  });

  it('have no period that the table lacks', () => {
    for (const { label } of Object.values(ofPeriods)) Object.keys(label).should.eql([...balancePeriods, 'any']);
  });
});
