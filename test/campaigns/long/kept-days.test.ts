/** Files of kept days when the process is killed while it writes, when the disk is full, and when it is read-only. */
import should from 'should';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mergeMonth, readMonth, unpackValue } from '../../../src/store/month-file';
import { systemClock } from '../../../src/time/clock';
import { PastDays } from '../../../src/store/past-days';
import { compiledSource } from '../../support/compiled-source';
import { Random } from '../../support/random';

const support = join(__dirname, '../../support');
const compiled = (file: string): string => join(compiledSource(), 'store', file);
/** 500 were made by hand: CEMM_KILLS=500. */
const kills = Number(process.env['CEMM_KILLS'] ?? 60);

describe('kept days', function () {
  this.timeout(1_200_000);
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'cemm-kept-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Kills the writer some time after its first fact. Returns the last fact that it reported. */
  async function killed(writer: ChildProcess, afterMs: number): Promise<number> {
    let said = '';
    writer.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    if (writer.stdout !== null) await once(writer.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    writer.kill('SIGKILL');
    await once(writer, 'close');
    const lines = said.split('\n').slice(0, -1);
    return Number(lines.at(-1));
  }

  it(`are whole, and as new as reported, after ${kills} kills of a process that writes`, async () => {
    const random = new Random(28);
    const file = join(folder, '001122aabbcc', '2026-03.readings');
    const used = { node: process.execPath, script: join(support, 'store-writer.cjs') };
    let left = 0;
    for (let count = 0; count < kills; count += 1) {
      const writer = spawn(used.node, [used.script, compiled('month-file.js'), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const last = await killed(writer, random.next() * 12);
      for (const copy of [file, `${file}-2`]) {
        const { entries, wasDamaged } = await readMonth(copy);
        wasDamaged.should.be.false();
        const [a, b] = ['a', 'b'].map((name) => unpackValue(entries.get(name) ?? Buffer.alloc(0)));
        should(a).deepEqual(b);
        const [count = 0] = Array.isArray(a) ? (a as number[]) : [];
        count.should.be.aboveOrEqual(last);
        should(a).deepEqual(Array.from({ length: 2000 }, () => count));
      }
      if ((await readdir(join(folder, '001122aabbcc'))).length > 2) left += 1;
    }
    console.log(`      ${left} of ${kills} kills were in the middle of a file`);
    left.should.be.above(kills / 50);
    await mergeMonth(file, new Map([['c', { value: 1, join: () => 1 }]]), true);
    (await readMonth(file)).entries.size.should.equal(3);
    // The next program removes what the killed ones left.
    const past = new PastDays({ folder, clock: systemClock, onProblem: () => undefined });
    const fact = { kind: 'readings', house: '001122aabbcc', start: Date.UTC(2026, 2, 1), name: 'c' } as const;
    should(await past.get(fact)).equal(1);
    (await readdir(join(folder, '001122aabbcc'))).filter((name) => name.endsWith('.tmp')).should.be.empty();
  });

  /** Runs the filler in a file system of its own. */
  async function filled(options: string): Promise<{ problems: string[]; kept: number }> {
    const command = `mount -t tmpfs -o ${options} none ${folder} && exec "$@"`;
    const filler = [
      process.execPath,
      join(support, 'store-filler.cjs'),
      compiled('past-days.js'),
      join(folder, 'cemm'),
    ];
    const run = promisify(execFile);
    const { stdout } = await run('unshare', ['--map-root-user', '--mount', 'sh', '-c', command, 'sh', ...filler]);
    return JSON.parse(stdout) as { problems: string[]; kept: number };
  }

  it('warn once when the disk is full, and stay readable', async () => {
    const { problems, kept } = await filled('size=128k');
    problems.should.deepEqual(['not_kept']);
    kept.should.be.within(2, 39);
  });

  it('warn once where the folder is read-only', async () => {
    should(await filled('ro,size=64k')).deepEqual({ problems: ['not_kept'], kept: 0 });
  });
});
