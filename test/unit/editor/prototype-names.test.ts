/** Dialogs with meters, fields, roles and modes that have the names of inherited object members. */
import { createRequire } from 'node:module';
import should from 'should';
import { intervalFloor } from '../../../nodes/lib/stored/field-rules';
import { catalogueLookup } from '../../support/editor/catalogue-lookup';
import { prototypeNames } from '../../support/prototype-names';

type Text = (key: string, values?: object) => unknown;
type Properties = Readonly<Record<string, unknown>>;
type WidgetOf = (node: object, text: Text) => { readonly properties: Properties };

/** Modules of the editor, whose globals the types of these tests do not have. */
const editor = createRequire(__filename);
const { createCatalogueText } = editor('../../../nodes/lib/editor/catalogue') as {
  createCatalogueText: (type: string) => Text;
};
const { buildChart, gaugeOf } = editor('../../../nodes/lib/editor/dashboard/widgets') as Record<
  'buildChart' | 'gaugeOf',
  WidgetOf
>;
const { quantityOfField, usualQuantity } = editor('../../../nodes/lib/editor/dashboard/quantities') as Record<
  'quantityOfField' | 'usualQuantity',
  (subject: unknown) => { readonly field: string }
>;
const { readMeters, readMonitors, readSteps } = editor('../../../nodes/lib/editor/admin-calls') as Record<
  'readMeters' | 'readMonitors' | 'readSteps',
  (answer: unknown) => readonly { readonly channels: readonly object[] }[]
>;
const { describeChannel, describeMeter } = editor('../../../nodes/lib/editor/pick-lists') as Record<
  'describeChannel' | 'describeMeter',
  (entry: object, text: Text) => unknown
>;

describe('dialogs with names of Object.prototype', () => {
  const lookup = catalogueLookup(['cemm-format', 'cemm-series', 'cemm-connection']);
  beforeEach(() => {
    // As in the editor's red.js.
    const translate = (...given: Parameters<typeof lookup._>): unknown => {
      const found: unknown = lookup._(...given);
      return typeof found === 'string' ? found : given[0];
    };
    const nodes = { filterLinks: () => [], node: () => null };
    Object.defineProperty(globalThis, 'RED', { configurable: true, value: { _: translate, nodes } });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'RED');
  });

  const isPlain = (text: unknown): void => {
    should(text).be.a.String();
    should(text).not.match(/native code|returned an object/);
  };

  it('have texts for them', () => {
    for (const name of prototypeNames) {
      isPlain(createCatalogueText('cemm-format')(`line.${name}`));
      isPlain(createCatalogueText('cemm-format')(name, { what: name }));
    }
  });

  it('draw a gauge and a chart of a field or a role of that name', () => {
    for (const name of prototypeNames) {
      const format = { id: 'format', type: 'cemm-format', fields: name };
      const realtime = { id: 'meter', type: 'cemm-realtime', role: name, alias: name, aliasType: 'str' };
      const series = { ...realtime, type: 'cemm-series', period: name, span: 'one', dateType: name };
      for (const node of [format, realtime, series]) {
        for (const { properties } of [
          gaugeOf(node, createCatalogueText(node.type)),
          buildChart(node, createCatalogueText(node.type)),
        ]) {
          for (const property of ['title', 'label', 'value', 'units', 'yAxisLabel']) {
            if (property in properties) isPlain(properties[property]);
          }
          if ('max' in properties) should(properties['max']).be.a.Number().and.not.NaN();
          if ('colors' in properties) should(properties['colors']).matchEvery(/^#/);
        }
      }
      const subject = { kind: 'readings', hasBars: false, when: 'now', role: name, alias: name } as const;
      const quantity = usualQuantity({ ...subject, isStacked: false, hours: 1, canExport: false });
      quantity.field.should.equal('power_import_w');
      quantityOfField(name).field.should.equal(name);
    }
  });

  it('list meters and monitors of that name', () => {
    for (const name of prototypeNames) {
      const entry = {
        alias: name,
        label: name,
        type: name,
        role: name,
        field: name,
        value: 1,
        channels: [{ key: name }],
      };
      const [meter] = readMeters({ meters: [entry] });
      if (meter === undefined) throw new Error('no meter');
      isPlain(describeMeter(meter, createCatalogueText('cemm-format')));
      meter.channels.forEach((channel) => {
        isPlain(describeChannel(channel, createCatalogueText('cemm-format')));
      });
      readMonitors({ monitors: [{ mac: name, name }] }).should.have.length(1);
      readSteps({ steps: [{ step: name, state: 'ok', word: name, values: { [name]: 1 } }] }).should.have.length(1);
    }
  });

  it('know the shortest interval of a connection of that mode', () => {
    for (const name of prototypeNames) {
      intervalFloor({ mode: name, textOf: () => '' })
        .should.be.a.Number()
        .and.be.above(0);
    }
  });
});
