/** A device in Home Assistant: names, entity ids, expiry, last contact, the button, and its removal. */
import should from 'should';
import { createFormatter, type FormatOptions } from '../../../src/formats/formatter';
import type { Formatted } from '../../../src/formats/formatted';
import type { HaComponent, HaDiscovery } from '../../../src/formats/home-assistant/discovery';
import { rows } from '../../../src/model/fields';
import type { RealtimePayload } from '../../../src/model/payload';
import { describeFormatError, thrownBy } from '../../support/formats/errors';
import { discoveryFlaws } from '../../support/home-assistant/discovery-rules';
import { sensorNames } from '../../support/formats/names';
import { houseDay, houseNow, MAC, realtime, T, totals, water, webhook } from '../../support/formats/payloads';

const discoveryTopic = `homeassistant/device/cemm_${MAC}/config`;
const contactTopic = `cemm/${MAC}/contact`;

/** The last announcement, checked with the rules of Home Assistant. */
function announced(messages: readonly Formatted[]): Readonly<Record<string, HaComponent>> {
  const last = messages.findLast(({ topic }) => topic.startsWith('homeassistant/'));
  discoveryFlaws(last?.topic ?? '', last?.payload).should.deepEqual([]);
  return (last?.payload as HaDiscovery).components;
}

function componentsOf(
  payloads: readonly unknown[],
  options: FormatOptions = {},
): Readonly<Record<string, HaComponent>> {
  const format = createFormatter('homeassistant', options);
  return announced(payloads.flatMap((payload) => format({ payload })));
}

function named(payloads: readonly unknown[], options: FormatOptions): Record<string, string> {
  return Object.fromEntries(Object.entries(componentsOf(payloads, options)).map(([key, { name }]) => [key, name]));
}

const fields: RealtimePayload = {
  ...realtime,
  values: {
    power_w: 1,
    power_import_w: 1,
    power_l1_w: 1,
    energy_import_t1_kwh: 1,
    energy_net_kwh: 1,
    home_energy_kwh: 1,
    gas_m3: 1,
    gas_lpm: 1,
    tariff: 1,
    something_new: 1,
  },
  times: {},
};

describe('the announcement of a device in Home Assistant', () => {
  const format = createFormatter('homeassistant', { fetchButton: true });
  const keys = (...payloads: readonly unknown[]): string[] =>
    Object.keys(announced(payloads.flatMap((payload) => format({ payload }))));

  it('has new sensors before those that Home Assistant knows, because it skips what follows one that it still sets up', () => {
    const first = keys(realtime);
    const later = { ...realtime, values: { ...realtime.values, something_new: 1 }, times: {} };
    keys(later).should.deepEqual(['p1_something_new', ...first]);
    const [newest] = keys(houseNow);
    should(newest).startWith('balance_now_');
  });

  it('keeps its order when it is repeated', () => {
    const messages = format({ payload: 'online', topic: 'homeassistant/status' });
    Object.keys(announced(messages)).at(-1)?.should.equal('fetch');
    format({ payload: { ...realtime, times: {} } })
      .filter(({ topic }) => topic === discoveryTopic)
      .should.be.empty();
  });
});

describe('the names of sensors in Home Assistant', () => {
  it('are in the language of the user, and tell power from energy', () => {
    named([fields, houseNow, houseDay], {
      names: sensorNames('nl'),
      language: 'nl-NL',
      fetchButton: true,
    }).should.containEql({
      p1_power_w: 'p1 vermogen',
      p1_power_import_w: 'p1 vermogen afname',
      p1_power_l1_w: 'p1 vermogen fase 1',
      p1_energy_import_t1_kwh: 'p1 energie afname, tarief 1',
      p1_energy_net_kwh: 'p1 netto energie',
      p1_home_energy_kwh: 'p1 energie verbruik',
      p1_gas_m3: 'p1 gas',
      p1_gas_lpm: 'p1 gasdebiet',
      p1_tariff: 'p1 tarief',
      p1_something_new: 'p1 something new',
      balance_now_power_house_w: 'Huis vermogen',
      balance_now_power_import_w: 'Huis vermogen afname',
      balance_now_self_sufficiency: 'Huis zelfvoorziening',
      balance_day_energy_import_kwh: 'Vandaag energie afname',
      balance_day_cost: 'Vandaag kosten',
      balance_day_cost_import: 'Vandaag kosten afname',
      balance_day_cost_fixed: 'Vandaag vaste kosten',
      balance_day_peak_power_w: 'Vandaag kwartierpiek',
      last_contact: 'Laatste contact',
      delay_ms: 'Vertraging',
      fetch: 'Nu uitlezen',
    });
    named([fields], { names: sensorNames('de'), language: 'de-DE' }).should.containEql({
      p1_power_import_w: 'p1 Leistung Bezug',
      p1_gas_m3: 'p1 Gas',
      last_contact: 'Letzter Kontakt',
    });
    named([fields], { names: sensorNames('en-US'), language: 'en-GB' }).should.containEql({
      p1_energy_import_t1_kwh: 'p1 energy import, tariff 1',
      p1_energy_net_kwh: 'p1 net energy',
    });
  });

  for (const language of ['en-US', 'nl', 'de', 'fr']) {
    it(`are different for each field: ${language}`, () => {
      const names = sensorNames(language);
      const all = Object.keys(rows).filter((field) => names(field) !== null);
      all.length.should.be.above(45);
      const values = Object.fromEntries(all.map((field) => [field, 1]));
      const found = componentsOf([{ ...realtime, values, times: {} }], { names, language });
      const [labels, ids] = [new Set<string>(), new Set<string>()];
      for (const { name, default_entity_id } of Object.values(found)) {
        labels.add(name);
        ids.add(default_entity_id);
      }
      labels.size.should.equal(Object.keys(found).length);
      ids.size.should.equal(Object.keys(found).length);
    });
  }

  it('begin with the name that a person gave the meter, unless two meters have it', () => {
    const labelled = (alias: string, label: string) => ({ ...fields, meter: { alias, role: null, label } });
    const names = named([labelled('p1', ' Meter cupboard '), labelled('s01', ''), labelled('s02', '  ')], {});
    names.should.containEql({
      p1_gas_m3: 'Meter cupboard gas',
      s01_gas_m3: 's01 gas',
      s02_gas_m3: 's02 gas',
    });
    const twins = named([labelled('p1', 'Garage'), labelled('s01', 'Garage')], {});
    twins.should.containEql({ p1_gas_m3: 'p1 gas', s01_gas_m3: 's01 gas' });
    const [reading] = webhook.readings;
    const delivery = { ...webhook, readings: [{ ...reading, meterLabel: 'Smart meter' }] };
    Object.values(named([delivery], {}))[0]?.should.startWith('Smart meter ');
  });

  it('change with the label of a meter, and keep their unique ids', () => {
    const format = createFormatter('homeassistant');
    const ids = (found: Readonly<Record<string, HaComponent>>) =>
      Object.values(found).map(({ unique_id }) => unique_id);
    const before = announced(format({ payload: fields }));
    const again = format({ payload: { ...fields, meter: { ...fields.meter, label: 'Smart meter' } } });
    const after = announced(again);
    should(after['p1_gas_m3']?.name).equal('Smart meter gas');
    ids(after).should.deepEqual(ids(before));
    should(after['p1_gas_m3']?.unique_id).equal(`cemm_${MAC}_p1_gas_m3`);
  });
});

describe('the entity ids that Home Assistant is proposed', () => {
  it('contain device, meter and field without the unit, in every language', () => {
    const options = { names: sensorNames('nl'), language: 'nl-NL', fetchButton: true };
    const found = componentsOf(
      [{ ...fields, meter: { ...fields.meter, label: 'Meterkast' } }, houseNow, houseDay],
      options,
    );
    const ids = Object.fromEntries(
      Object.entries(found).map(([key, { default_entity_id }]) => [key, default_entity_id]),
    );
    ids.should.containEql({
      p1_power_import_w: 'sensor.meter_cupboard_p1_power_import',
      p1_energy_import_t1_kwh: 'sensor.meter_cupboard_p1_energy_import_t1',
      p1_gas_m3: 'sensor.meter_cupboard_p1_gas',
      p1_gas_lpm: 'sensor.meter_cupboard_p1_gas_flow',
      balance_now_power_house_w: 'sensor.meter_cupboard_house_power',
      balance_day_cost: 'sensor.meter_cupboard_today_cost',
      last_contact: 'sensor.meter_cupboard_last_contact',
      fetch: 'button.meter_cupboard_fetch',
    });
  });

  it('are valid for any name', () => {
    const monitor = { id: MAC, name: 'Zähler & Co. '.repeat(40) };
    const payload = { ...fields, monitor, meter: { alias: 'é/+#'.repeat(20), role: null } };
    for (const { default_entity_id: id } of Object.values(componentsOf([payload]))) id.length.should.be.below(256);
  });
});

describe('a value in Home Assistant that grows old', () => {
  const expiries = (payloads: readonly unknown[], options: FormatOptions) =>
    Object.fromEntries(
      Object.entries(componentsOf(payloads, options)).map(([key, component]) => [
        key,
        'expire_after' in component ? component.expire_after : undefined,
      ]),
    );

  it('LC18: becomes unavailable, where it comes from a node that reads all the time', () => {
    const all = expiries([realtime, totals, { ...totals, meter: { alias: 's01', role: null } }, houseNow, houseDay], {
      expireAfter: 60,
    });
    all.should.containEql({ p1_power_w: 60, p1_gas_m3: 60, balance_now_power_house_w: 60 });
    should(all['s01_energy_import_t1_kwh']).equal(undefined);
    should(all['balance_day_energy_import_kwh']).equal(undefined);
    should(all['last_contact']).equal(undefined);
  });

  it('never expires without the setting, or in a delivery', () => {
    for (const expiry of [
      ...Object.values(expiries([realtime], {})),
      ...Object.values(expiries([webhook], { expireAfter: 60 })),
    ]) {
      should(expiry).equal(undefined);
    }
  });
});

describe('what Home Assistant shows about the device itself', () => {
  it('is the last contact and its delay, below the values, and available while the monitor is not', () => {
    const { last_contact: last, delay_ms: delay } = componentsOf([realtime]);
    should(last).deepEqual({
      platform: 'sensor',
      unique_id: `cemm_${MAC}_last_contact`,
      name: 'Last contact',
      default_entity_id: 'sensor.meter_cupboard_last_contact',
      entity_category: 'diagnostic',
      device_class: 'timestamp',
      state_topic: contactTopic,
      value_template: "{{ value_json['last_contact'] }}",
    });
    should(delay).containEql({
      entity_category: 'diagnostic',
      device_class: 'duration',
      unit_of_measurement: 'ms',
      enabled_by_default: false,
    });
    should(delay).not.have.property('availability');
  });

  it('is sent once a minute, for any number of messages', () => {
    const format = createFormatter('homeassistant');
    const sent = Array.from({ length: 31 }, (_, index) => {
      const source = { ...realtime.source, fetchedAt: T + index * 10_000, latencyMs: index };
      return format({ payload: { ...realtime, ts: T + index, source } });
    });
    const contacts = sent.flat().filter(({ topic }) => topic === contactTopic);
    contacts
      .map(({ payload }) => payload)
      .should.deepEqual(
        [0, 6, 12, 18, 24, 30].map((index) => ({
          last_contact: new Date(T + index * 10_000).toISOString(),
          delay_ms: index,
        })),
      );
  });

  it('is the age of a delivery', () => {
    const payload = { ...webhook, delivery: { ...webhook.delivery, ageMs: 1234 } };
    const contact = createFormatter('homeassistant')({ payload }).find(({ topic }) => topic.endsWith('/contact'));
    should(contact?.payload).have.property('delay_ms', 1234);
  });

  it('is absent for a payload without a source', () => {
    const { source, ...payload } = realtime;
    source.should.be.an.Object();
    const messages = createFormatter('homeassistant')({ payload });
    messages.filter(({ topic }) => topic === contactTopic).should.deepEqual([]);
    describeFormatError(() =>
      createFormatter('homeassistant')({ payload: { ...payload, source: { fetchedAt: 'now' } } }),
    ).should.equal('INPUT not_a_payload');
  });

  it('belongs to the fields that a user chooses', () => {
    Object.keys(componentsOf([realtime], { fields: 'gas_m3' })).should.deepEqual(['p1_gas_m3']);
    const format = createFormatter('homeassistant', { fields: 'gas_m3' });
    format({ payload: realtime })
      .filter(({ topic }) => topic === contactTopic)
      .should.deepEqual([]);
    const chosen = componentsOf([realtime], { fields: 'gas_m3, delay_ms' });
    Object.keys(chosen).should.deepEqual(['p1_gas_m3', 'delay_ms']);
    should(chosen['delay_ms']).not.have.property('enabled_by_default');
  });

  it('has a button if a flow handles it', () => {
    componentsOf([realtime]).should.not.have.property('fetch');
    should(componentsOf([realtime], { fetchButton: true, fields: 'gas_m3' })['fetch']).deepEqual({
      platform: 'button',
      unique_id: `cemm_${MAC}_fetch`,
      name: 'Read now',
      default_entity_id: 'button.meter_cupboard_fetch',
      command_topic: `cemm/${MAC}/fetch`,
      payload_press: 'fetch',
      qos: 1,
    });
  });
});

describe('a device that is removed from Home Assistant', () => {
  const empty = (topic: string) => ({ topic, payload: '', retain: true, qos: 1 });
  const always = [
    discoveryTopic,
    `cemm/${MAC}/availability`,
    contactTopic,
    `cemm/${MAC}/balance/now/state`,
    `cemm/${MAC}/balance/day/state`,
  ];

  it('LC19: takes all topics along that it sent, the device first', () => {
    const format = createFormatter('homeassistant', { expireAfter: 60 });
    const sent = [realtime, water, houseNow, houseDay].flatMap((payload) => format({ payload }));
    const removed = format({ payload: { remove: MAC } });
    should(removed[0]).deepEqual(empty(discoveryTopic));
    for (const message of removed) message.should.deepEqual(empty(message.topic));
    const topics = removed.map(({ topic }) => topic);
    new Set(topics).size.should.equal(topics.length);
    [...topics].sort().should.deepEqual([...new Set(sent.map(({ topic }) => topic))].sort());
  });

  it('LC19: takes the named meters along, after a restart of Node-RED, too', () => {
    const removed = createFormatter('homeassistant')({
      payload: { remove: '00:11:22:AA:BB:CC', meters: ['p1', 'a/b'] },
    });
    removed.slice(0, 5).should.deepEqual(always.map(empty));
    removed
      .slice(5)
      .map(({ topic }) => topic.replace(/_[0-9a-f]{8}/, ''))
      .should.deepEqual(
        ['p1', 'a_b'].flatMap((meter) => [`cemm/${MAC}/${meter}/availability`, `cemm/${MAC}/${meter}/state`]),
      );
  });

  it('is announced again by its next reading, and other devices are unchanged', () => {
    const format = createFormatter('homeassistant');
    format({ payload: realtime });
    format({ payload: webhook });
    format({ payload: { remove: MAC } });
    format({ payload: 'online', topic: 'homeassistant/status' })
      .filter(({ topic }) => topic.includes(MAC))
      .should.deepEqual([]);
    should(format({ payload: realtime })[0]?.topic).equal(discoveryTopic);
  });

  const wrong: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['no name', { remove: '' }, 'remove'],
    ['a number', { remove: 12 }, 'remove'],
    ['null', { remove: null }, 'remove'],
    ['a long name', { remove: 'x'.repeat(129) }, 'remove'],
    ['meters that are no list', { remove: MAC, meters: 'p1' }, 'meters'],
    ['a meter that is no text', { remove: MAC, meters: ['p1', 5] }, 'meters'],
    ['more than a hundred meters', { remove: MAC, meters: Array.from({ length: 101 }, (_, n) => `m${n}`) }, 'meters'],
    ['another property', { remove: MAC, alias: 'p1' }, 'alias'],
  ];
  for (const [what, payload, flaw] of wrong) {
    it(`is refused with ${what}, and says where the mistake is`, () => {
      const { code, reason, params } = thrownBy(() => createFormatter('homeassistant')({ payload }));
      `${code} ${reason}`.should.equal('INPUT not_a_removal');
      params.should.deepEqual({ path: flaw, most: '100' });
    });
  }

  it('is a command in this format only', () => {
    describeFormatError(() => createFormatter('values')({ payload: { remove: MAC } })).should.equal(
      'INPUT not_a_payload',
    );
  });
});
