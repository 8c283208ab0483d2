import should from 'should';
import { uniqueIdOf } from '../../../src/formats/home-assistant/unique-id';
import { createFormatter } from '../../../src/formats/formatter';
import { knownFields } from '../../../src/model/field-names';
import { Random } from '../../support/random';
import { houseDay, houseNow, MAC, realtime } from '../../support/formats/payloads';

const id = (monitor: string, meter: string, field: string, topic: string | null = null): string =>
  uniqueIdOf(monitor, meter, { field, topic });

describe('the unique_id of a sensor in Home Assistant', () => {
  it('is unchanged if it is unambiguous', () => {
    for (const monitor of [MAC, '24000001', 'h1', 'h1_x', 'huis_1']) {
      for (const meter of ['p1', 'p1-gas', 's01', 'pulse-1', 'smartmeter-dsmr']) {
        for (const field of knownFields(null)) {
          id(monitor, meter, field).should.equal(`cemm_${monitor}_${meter}_${field}`);
          id(monitor, meter, field, 'this/day').should.equal(`cemm_${monitor}_${meter}_this_day_${field}`);
        }
        id(monitor, 'zon_dak', 'power_w').should.match(new RegExp(`^cemm_${monitor}_zon_dak_[0-9a-f]{8}_power_w$`));
      }
    }
    id(MAC, 'p1', 'some_channel').should.equal(`cemm_${MAC}_p1_some_channel`);
    id('h1', '12345678', 'power_w').should.equal('cemm_h1_12345678_power_w');
  });

  it('is not that of another installation', () => {
    const victims = [id('h1_x', 'p1', 'power_w'), id('h1_x', 'zon_dak', 'power_w'), id('h1_x', 'p1', 'other')];
    const hash = /dak_([0-9a-f]{8})/.exec(victims[1] ?? '')?.[1] ?? '';
    const forged = [
      id('h1', 'x', 'p1_power_w'),
      id('h1', 'x', `zon_dak_${hash}_power_w`),
      id('h1_x_zon_dak', hash, 'power_w'),
      id('h1_x_zon', 'dak', `${hash}_power_w`),
      id('h1', 'x', 'p1_other'),
      id('h1', 'x_p1', 'power_w'),
    ];
    for (const one of forged) victims.should.not.containEql(one);
    id('h1', 'a', 'home_power_w').should.not.equal(id('h1_a', 'home', 'power_w'));
    id('h1', 'x', 'this_day_gas_m3').should.not.equal(id('h1_x_this', 'day', 'gas_m3'));
  });

  it('differs from ids of the monitor itself and of a balance', () => {
    const sent = [houseNow, houseDay, realtime].flatMap((payload) => {
      const source = { ...payload.source, fetchedAt: payload.ts };
      const format = createFormatter('homeassistant', { fetchButton: true });
      return format({ payload: { ...payload, monitor: { id: 'a_b' }, source } });
    });
    const components = sent.flatMap(({ payload }) =>
      Object.values((payload as { components?: Record<string, { unique_id: string }> }).components ?? {}),
    );
    const own = new Set(components.map(({ unique_id }) => unique_id));
    own.should.containEql('cemm_a_b_last_contact').and.containEql('cemm_a_b_balance_now_power_house_w');
    for (const taken of own) {
      if (/_p1_/.test(taken)) continue;
      const parts = taken.replace('cemm_', '').split('_');
      for (let one = 1; one < parts.length - 1; one += 1) {
        const forged = id(parts.slice(0, one).join('_'), parts[one] ?? '', parts.slice(one + 1).join('_'));
        should(forged).not.equal(taken);
      }
    }
  });

  it('differs for any two installations with any names', () => {
    const random = new Random(11);
    const words = [
      'h1',
      'x',
      'p1',
      'home',
      'power',
      'w',
      'power_w',
      'this',
      'day',
      'gas_m3',
      'deadbeef',
      'last_contact',
    ];
    const name = (most: number): string =>
      Array.from({ length: random.int(1, most) }, () => words[random.int(0, words.length - 1)]).join('_');
    const owners = new Map<string, string>();
    for (let index = 0; index < 200_000; index += 1) {
      const monitor = name(3);
      const one = id(monitor, name(2), name(3));
      should(owners.get(one) ?? monitor).equal(monitor, one);
      owners.set(one, monitor);
    }
  });
});
