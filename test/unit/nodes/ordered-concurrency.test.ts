import should from 'should';
import { orderedConcurrency } from '../../../nodes/lib/run/incremental';

interface Gate {
  open(): void;
  fail(): void;
}

describe('questions in order', () => {
  function asking(): { asked: number[]; gates: Map<number, Gate>; ask: (question: number) => Promise<string> } {
    const asked: number[] = [];
    const gates = new Map<number, Gate>();
    const ask = (question: number): Promise<string> => {
      asked.push(question);
      return new Promise((resolve, reject) => {
        gates.set(question, {
          open: () => {
            resolve(`answer ${question}`);
          },
          fail: () => {
            reject(new Error(`no ${question}`));
          },
        });
      });
    };
    return { asked, gates, ask };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('never has more in flight than allowed, and passes on in order although answers overtake', async () => {
    const { asked, gates, ask } = asking();
    const taken: string[] = [];
    const all = orderedConcurrency([1, 2, 3, 4], 2, ask, (answer) => void taken.push(answer));
    await settled();
    asked.should.eql([1, 2]);
    gates.get(2)?.open();
    await settled();
    taken.should.eql([]);
    asked.should.eql([1, 2]);
    gates.get(1)?.open();
    await settled();
    taken.should.eql(['answer 1', 'answer 2']);
    asked.should.eql([1, 2, 3, 4]);
    gates.get(4)?.open();
    gates.get(3)?.open();
    await all;
    taken.should.eql(['answer 1', 'answer 2', 'answer 3', 'answer 4']);
  });

  it('stops at the first failure: no gap, no further request', async () => {
    const { asked, gates, ask } = asking();
    const taken: string[] = [];
    const all = orderedConcurrency([1, 2, 3], 2, ask, (answer) => void taken.push(answer)).catch(
      (error: unknown) => error,
    );
    await settled();
    gates.get(2)?.open();
    gates.get(1)?.fail();
    should(await all).have.property('message', 'no 1');
    taken.should.eql([]);
    asked.should.eql([1, 2]);
  });

  it('survives the failure of a later request while an earlier one is awaited', async () => {
    const { gates, ask } = asking();
    const taken: string[] = [];
    const all = orderedConcurrency([1, 2], 2, ask, (answer) => void taken.push(answer)).catch(
      (error: unknown) => error,
    );
    await settled();
    gates.get(2)?.fail();
    await settled();
    gates.get(1)?.open();
    should(await all).have.property('message', 'no 2');
    taken.should.eql(['answer 1']);
  });
});
