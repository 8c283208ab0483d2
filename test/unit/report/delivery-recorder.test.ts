/** A recording of deliveries: its two ends, its memory, and its timer. */
import should from 'should';
import { DeliveryRecorder } from '../../../src/report/delivery-recorder';
import { hourMs } from '../../../src/time/units';
import { FakeClock } from '../../support/time/fake-clock';

function deliveryOf(bytes = 2) {
  return { at: 0, headers: {}, body: Buffer.alloc(bytes) };
}

describe('DeliveryRecorder', () => {
  let clock: FakeClock;
  let recorder: DeliveryRecorder;
  let ends: number;

  beforeEach(() => {
    clock = new FakeClock();
    ends = 0;
    recorder = new DeliveryRecorder(clock, () => (ends += 1));
  });

  function add(count: number): void {
    for (let added = 0; added < count; added += 1) recorder.add(deliveryOf());
  }

  const state = () => [recorder.isRecording, recorder.deliveries.length, clock.timerCount, ends];

  it('keeps nothing before it is started', () => {
    add(1);
    should(state()).eql([false, 0, 0, 0]);
  });

  it('ends after ten deliveries and keeps them', () => {
    recorder.record();
    add(9);
    should(state()).eql([true, 9, 1, 0]);
    add(2);
    should(state()).eql([false, 10, 0, 1]);
  });

  it('ends after an hour and keeps what has come', () => {
    recorder.record();
    add(3);
    clock.tick(hourMs - 1);
    should(state()).eql([true, 3, 1, 0]);
    clock.tick(1);
    add(1);
    should(state()).eql([false, 3, 0, 1]);
  });

  it('ends with the delivery that reaches a megabyte', () => {
    recorder.record();
    for (let added = 0; added < 6; added += 1) recorder.add(deliveryOf(250_000));
    should(state()).eql([false, 4, 0, 1]);
  });

  it('forgets the deliveries of an earlier recording, and its hour', () => {
    recorder.record();
    add(3);
    clock.tick(hourMs / 2);
    recorder.record();
    add(1);
    clock.tick(hourMs / 2);
    should(state()).eql([true, 1, 1, 1]);
  });

  it('keeps no delivery and no timer when it forgets', () => {
    recorder.record();
    add(3);
    recorder.clear();
    should(state()).eql([false, 0, 0, 1]);
  });
});
