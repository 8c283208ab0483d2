import should from 'should';
import type { NodeStatus } from 'node-red';
import { createStatusLine, finishedStatus, mostStatusCharacters, readingsStatus } from '../../../nodes/lib/run/status';
import type { RealtimePayload } from '../../../src/model/payload';
import { until } from '../../support/until';

describe('the status line', () => {
  function line() {
    const shown: { text: string; at: number }[] = [];
    const status = createStatusLine(({ text = '' }: NodeStatus) => shown.push({ text, at: performance.now() }));
    return {
      shown,
      show: (text: string) => {
        status.show({ text });
      },
      clear: () => {
        status.clear();
      },
      close: () => {
        status.close();
      },
    };
  }

  it('OV6: shows the first at once, then the latest at most twice a second', async () => {
    const { shown, show, close } = line();
    for (let index = 0; index < 100; index += 1) show(`${index} / 100`);
    shown.map(({ text }) => text).should.eql(['0 / 100']);
    await until('the latest', () => shown.length > 1);
    shown.map(({ text }) => text).should.eql(['0 / 100', '99 / 100']);
    // A timer may fire a millisecond early.
    ((shown[1]?.at ?? 0) - (shown[0]?.at ?? 0)).should.be.aboveOrEqual(498);
    close();
  });

  it('does not repeat the same status', () => {
    const { shown, show, close } = line();
    show('same');
    show('same');
    shown.should.have.length(1);
    close();
  });

  it('WB19: truncates a long text to what the editor shows, without splitting a character', () => {
    const { shown, show, close } = line();
    show('⚡'.repeat(10) + '🔌'.repeat(30));
    Array.from(shown[0]?.text ?? '').should.have.length(mostStatusCharacters);
    (shown[0]?.text ?? '').should.match(/🔌…$/u);
    close();
  });

  it('clears what was shown before it, and delays no status by that', () => {
    const { shown, show, clear, close } = line();
    clear();
    show('one');
    clear();
    shown.map(({ text }) => text).should.eql(['', 'one']);
    close();
  });

  it('shows nothing after close and leaves no timer', () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const { shown, show, close } = line();
    show('one');
    show('two');
    close();
    show('three');
    shown.map(({ text }) => text).should.eql(['one']);
    timers().should.equal(before);
  });
});

describe('texts of statuses', () => {
  const reading = (watts: number): RealtimePayload => ({
    schema: 'cemm/1',
    kind: 'realtime',
    id: 'rt:001a2b3c4d5e:s01',
    ts: 1_792_929_600_000,
    time: '2026-10-25T12:00:00.000Z',
    monitor: { id: null },
    meter: { alias: 's01', role: 'production' },
    source: { transport: 'local', fetchedAt: 0, latencyMs: 0, requests: 1, promises: 0 },
    values: { power_w: watts },
    times: {},
    missing: {},
  });
  const shown = (watts: number): string | undefined => readingsStatus([reading(watts)], 'UTC', () => null).text;

  it('show no sign before zero, and keep it before every other number', () => {
    should(shown(-4)).equal('solar 0.00 kW · 12:00');
    should(shown(-512)).equal('solar -0.51 kW · 12:00');
    should(shown(0)).equal('solar 0.00 kW · 12:00');
  });

  it('show a finished range in green, with the time of the house', () => {
    should(finishedStatus(31, 1_792_929_600_000, 'Europe/Amsterdam')).eql({
      fill: 'green',
      shape: 'dot',
      text: '31 / 31 · 13:00',
    });
  });
});
