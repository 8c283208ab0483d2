/** Which values format homeassistant sends: none that is older, and no zero of a monitor that starts. */
import should from 'should';
import { createFormatter } from '../../../src/formats/formatter';
import type { RealtimePayload } from '../../../src/model/payload';
import { houseNow, later, MAC } from '../../support/formats/payloads';

const stateTopic = `cemm/${MAC}/p1/state`;

describe('the values for Home Assistant', () => {
  it('does not send an older value', () => {
    const format = createFormatter('homeassistant');
    format({ payload: later(60, { power_w: 500 }) });
    format({ payload: later(30, { power_w: 400 }) }).should.deepEqual([]);
    const [same] = format({ payload: later(60, { power_w: 500 }) });
    should(same?.payload).deepEqual({ power_w: 500 });
  });

  it('sends the readings after a clock of the monitor was set back', () => {
    const format = createFormatter('homeassistant');
    const ahead = later(10, { power_w: 500 });
    format({ payload: { ...ahead, ts: ahead.ts + 3_600_000 } });
    const [state] = format({ payload: later(20, { power_w: 400 }) });
    should(state?.payload).deepEqual({ power_w: 400 });
    const house = (seconds: number, aheadMs: number, watts: number): unknown => {
      const { ts, source } = later(seconds, {});
      const payload = { ...houseNow, ts: ts + aheadMs, source, values: { power_house_w: watts } };
      return format({ payload }).find(({ topic }) => topic.endsWith('/balance/now/state'))?.payload;
    };
    should(house(30, 3_600_000, 700)).containEql({ power_house_w: 700 });
    should(house(40, 0, 800)).containEql({ power_house_w: 800 });
  });

  it('holds back a counter that falls to 0, and passes on a new meter', () => {
    const format = createFormatter('homeassistant');
    format({ payload: later(0, { energy_import_kwh: 123, power_w: 5 }) });
    const states = [0, 0, 0.5, 1].map((value, index) => {
      const [state] = format({ payload: later(10 * (index + 1), { energy_import_kwh: value, power_w: 0 }) });
      return state?.payload;
    });
    states.should.deepEqual([
      { power_w: 0 },
      { power_w: 0 },
      { energy_import_kwh: 0.5, power_w: 0 },
      { energy_import_kwh: 1, power_w: 0 },
    ]);
  });

  it('holds back the zeros of a monitor that starts together with Node-RED, and sends those of a new meter after ten minutes', () => {
    const sentBy = (
      format: ReturnType<typeof createFormatter>,
      minutes: number,
      values: RealtimePayload['values'],
    ): unknown => format({ payload: later(60 * minutes, values) }).find(({ topic }) => topic === stateTopic)?.payload;
    const zeros = { power_w: 0, energy_import_t1_kwh: 0, energy_import_t2_kwh: 0 };
    const powerCut = createFormatter('homeassistant');
    should(sentBy(powerCut, 0, zeros)).deepEqual({ power_w: 0 });
    const readings = { power_w: 300, energy_import_t1_kwh: 4310.52, energy_import_t2_kwh: 0 };
    should(sentBy(powerCut, 1, readings)).deepEqual(readings);
    should(sentBy(powerCut, 2, zeros)).deepEqual({ power_w: 0, energy_import_t2_kwh: 0 });
    const newMeter = createFormatter('homeassistant');
    should(sentBy(newMeter, 0, zeros)).deepEqual({ power_w: 0 });
    should(sentBy(newMeter, 9, zeros)).deepEqual({ power_w: 0 });
    should(sentBy(newMeter, 10, zeros)).deepEqual(zeros);
  });
});
