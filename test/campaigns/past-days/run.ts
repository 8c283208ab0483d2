/**
 * Random houses with faults of both clocks, of the memory and the address of the monitor, restarts and kills:
 * `npm run campaign -- past-days --seeds 1..2000 --days 60 --parts 2`. Each part is a process with its own seeds and its own summary.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { brokenInHouse } from '../../support/store/past-campaign';

/** For a step that never ends. Other programs may have the processor meanwhile. */
const longestMs = 4 * 3_600_000;

interface Seeds {
  readonly first: number;
  readonly last: number;
}

/** @throws {RangeError} not of the form `1..2000` */
function parseSeeds(text: string): Seeds {
  const [, first = '', last = ''] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text) ?? [];
  if (first === '' || Number(last) < Number(first)) throw new RangeError(`--seeds ${text} is not of the form 1..2000`);
  return { first: Number(first), last: Number(last) };
}

/** Consecutive seeds of about equal number; no part is empty. */
function splitSeeds({ first, last }: Seeds, parts: number): Seeds[] {
  const size = Math.ceil((last - first + 1) / parts);
  const starts = Array.from({ length: parts }, (_, part) => first + part * size).filter((start) => start <= last);
  return starts.map((start) => ({ first: start, last: Math.min(last, start + size - 1) }));
}

/** Returns the number of houses in which a rule was broken. */
async function runPart({ first, last }: Seeds, days: number): Promise<number> {
  let broken = 0;
  const count = last - first + 1;
  const summary = (done: number): string => {
    const { user, system } = process.cpuUsage();
    const seconds = Math.round((user + system) / 1e6);
    return `seeds ${first}..${last}: ${done} of ${count} houses, ${days} days each, ${broken} broken, ${seconds} s of processor time`;
  };
  for (let seed = first; seed <= last; seed += 1) {
    const lines = await brokenInHouse(seed, days, longestMs);
    if (lines.length > 0) broken += 1;
    for (const line of lines) console.log(`seed ${seed}: ${line}`);
    const done = seed - first + 1;
    if (done % 50 === 0 && seed < last) console.log(summary(done));
  }
  console.log(summary(count));
  return broken;
}

/** Returns the exit code of a process for this part. */
function startPart({ first, last }: Seeds, days: number): Promise<number> {
  const args = [
    ...process.execArgv,
    __filename,
    '--seeds',
    `${first}..${last}`,
    '--days',
    String(days),
    '--parts',
    '1',
  ];
  return new Promise((resolve, reject) => {
    const part = spawn(process.execPath, args, { stdio: 'inherit' });
    part.once('error', reject);
    part.once('close', (code) => {
      resolve(code ?? 1);
    });
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1..2000' },
      days: { type: 'string', default: '60' },
      parts: { type: 'string', default: '2' },
    },
  });
  const days = Number(values.days);
  const seeds = splitSeeds(parseSeeds(values.seeds), Number(values.parts));
  const [only, ...others] = seeds;
  if (only !== undefined && others.length === 0) {
    process.exitCode = (await runPart(only, days)) > 0 ? 1 : 0;
    return;
  }
  const codes = await Promise.all(seeds.map((part) => startPart(part, days)));
  process.exitCode = codes.length > 0 && codes.every((code) => code === 0) ? 0 : 1;
}

// A monitor that is away makes many errors, and nobody reads where they come from.
Error.stackTraceLimit = 0;
void main();
