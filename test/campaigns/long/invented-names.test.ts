/** Half a million invented meters: format homeassistant keeps and sends nothing of them. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import 'should';

const script = path.join(__dirname, '../../support/formats/invented-meters.ts');

describe('invented names of meters, without end', () => {
  for (const [names, what, invents] of [
    [500_000, 'meters of one monitor', 'no'],
    [80_000, 'meters of a new monitor in each delivery', 'yes'],
  ] as const) {
    it(`leave the heap as it is: ${names.toLocaleString('en')} ${what}`, async function () {
      this.timeout(300_000);
      const run = promisify(execFile);
      const options = ['--expose-gc', '--max-old-space-size=192', '--import', 'tsx', script];
      const { stdout } = await run(process.execPath, [...options, 'homeassistant', String(names), invents]);
      const { grown, late } = JSON.parse(stdout) as { grown: number; late: number };
      grown.should.be.below(5);
      if (invents === 'no') late.should.equal(0);
    });
  }
});
