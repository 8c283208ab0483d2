/** A monitor with its own key may send any name, a new one each time: the names that formats keep and send are limited. */
import should from 'should';
import { createFormatter } from '../../../src/formats/formatter';
import type { Formatted } from '../../../src/formats/formatted';
import type { AvailabilityPayload, WebhookPayload } from '../../../src/model/payload';
import { offline, realtime, webhook } from '../../support/formats/payloads';

const [reading] = webhook.readings;

function delivered(cemm: number, meter: string, field = 'power_w', value = 5): WebhookPayload {
  if (reading === undefined) throw new Error('no reading');
  const readings = [{ ...reading, meter, field, value, meterLabel: meter }];
  return { ...webhook, monitor: { id: null, cemm }, readings };
}

/** Messages of one format node, and its messages after a start of Home Assistant. */
function homeAssistant() {
  const format = createFormatter('homeassistant');
  return {
    send: (payload: unknown): readonly Formatted[] => format({ payload }),
    kept: (): readonly Formatted[] => format({ payload: 'online' }),
  };
}

describe('invented names of meters and channels', () => {
  it('are neither kept nor sent by format homeassistant beyond the sensors of a monitor', () => {
    const { send, kept } = homeAssistant();
    const first = Array.from({ length: 500 }, (_, index) => delivered(1, `m${index}`).readings).flat();
    send({ ...delivered(1, ''), readings: first });
    // Discovery, availability of the monitor and of each meter, contact, and a state of each meter.
    kept().should.have.length(1 + 1 + 500 + 1 + 500);
    for (let index = 500; index < 1000; index += 1) {
      send(delivered(1, `m${index}`)).should.have.length(0, `m${index}`);
      send(delivered(1, 'm1', `channel_${index}`)).should.have.length(0, `channel_${index}`);
    }
    kept().should.have.length(1003);
    // Known meters continue.
    send(delivered(1, 'm1', 'power_w', 6)).should.have.length(1);
  });

  it('use no space for a meter without values above the limit', () => {
    const { send, kept } = homeAssistant();
    for (let index = 0; index < 3000; index += 1) {
      const meter = { alias: `m${index}`, role: null };
      send({ ...realtime, meter, values: {}, times: {} });
      send({ ...offline, meter } satisfies AvailabilityPayload);
    }
    kept().should.have.length(1 + 500);
  });

  it('longer than a name of a monitor are left out', () => {
    const { send } = homeAssistant();
    send(delivered(1, 'p1'));
    send(delivered(1, 'x'.repeat(129))).should.have.length(0);
    send(delivered(1, 'p1', 'x'.repeat(129))).should.have.length(0);
  });

  it('of invented monitors replace the least recently used monitors', () => {
    const { send, kept } = homeAssistant();
    for (let cemm = 1; cemm <= 200; cemm += 1) {
      const readings = Array.from({ length: 200 }, (_, index) => delivered(cemm, `m${index}`).readings).flat();
      send({ ...delivered(cemm, ''), readings });
    }
    const monitors = kept().filter(({ topic }) => topic.startsWith('homeassistant/'));
    // 400 for each: 200 sensors and 200 meters.
    monitors.should.have.length(150);
    should(monitors.at(-1)?.topic).containEql('cemm_200');
    send(delivered(1, 'p1')).should.not.have.length(0);
  });
});

describe('names that a spreadsheet would run', () => {
  it('begin with an apostrophe in format rows, and differ from each other', () => {
    const format = createFormatter('rows');
    for (const first of ['=', '+', '-', '@', '\t', '\r', '\n', "'"]) {
      const name = `${first}HYPERLINK("http://example.com")`;
      const readings = delivered(1, name, name).readings.map((one) => ({ ...one, unit: name }));
      const [message] = format({ payload: { ...delivered(1, name), installation: name, readings } });
      const [row] = message?.payload ?? [];
      should([row?.monitor, row?.meter, row?.field]).deepEqual([`'${name}`, `'${name}`, `'${name}`]);
      // A unit has no blanks around it.
      should(row?.unit).equal(first.trim() === '' ? name.trim() : `'${name}`);
      should(row?.value).equal(5);
    }
    const [plain] = format({ payload: { ...realtime, values: { power_w: -5 } } });
    should(plain?.payload).containDeep([{ meter: 'p1', field: 'power_w', value: -5, unit: 'W' }]);
  });
});
