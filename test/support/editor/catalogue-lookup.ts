/** `RED._` like Node-RED's own: its i18next, with the catalogues of this package. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import { readTypeCatalogue, type Language } from '../../../scripts/build/catalogue';

interface I18next {
  createInstance(options: object, ready: () => void): { t: NodeAPI['_'] };
}

const root = path.resolve(__dirname, '../../..');

/** With the settings of `@node-red/util/lib/i18n.js`. */
export function catalogueLookup(types: readonly string[], language: Language = 'en-US'): Pick<NodeAPI, '_'> {
  const i18next = createRequire(require.resolve('@node-red/util'))('i18next') as I18next;
  const catalogues = types.map((type) => [`node-red-contrib-cemm/${type}`, readTypeCatalogue(root, type, language)]);
  const [first] = types;
  const options = {
    showSupportNotice: false,
    lng: language,
    fallbackLng: 'en-US',
    defaultNS: `node-red-contrib-cemm/${first ?? ''}`,
    keySeparator: '.',
    nsSeparator: ':',
    interpolation: { unescapeSuffix: 'HTML', escapeValue: false, prefix: '__', suffix: '__' },
    resources: { [language]: Object.fromEntries(catalogues) as object },
    initImmediate: false,
    initAsync: false,
  };
  const instance = i18next.createInstance(options, () => undefined);
  return { _: (...given) => instance.t(...given) };
}
