import 'should';
import type { NodeStatus } from 'node-red';
import { createStatusLine, mostStatusCharacters } from '../../../nodes/lib/status';
import { until } from '../../support/until';

describe('the status line', () => {
  function line(): { shown: { text: string; at: number }[]; show: (text: string) => void; close: () => void } {
    const shown: { text: string; at: number }[] = [];
    const status = createStatusLine(({ text = '' }: NodeStatus) => shown.push({ text, at: performance.now() }));
    return {
      shown,
      show: (text) => {
        status.show({ text });
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

  it('does not repeat itself', () => {
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

  it('is silent after close and leaves no timer', () => {
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
