/**
 * `npm run campaign -- protocol-faults`: every network fault at every endpoint of the three interfaces, one after the other. Prints
 * their number and the largest delay after a deadline; exits with 1 if a code is wrong or a response more than 200 ms late. The
 * unit tests run the same cases at once, where times mean nothing.
 */
import { expectedCode, faults, type Act, type FaultCase } from '../../support/network/fault-server';
import { codeFor, local, longMs, meet, publicSide, remote, shortMs } from '../../support/clients/fault-sides';

const mostLateMs = 200;

async function main(): Promise<void> {
  const problems: string[] = [];
  let latest = 0;
  let calls = 0;
  for (const side of [remote, local, publicSide]) {
    for (const [fault, act] of Object.entries(faults) as [FaultCase, Act][]) {
      for (const endpoint of side.endpoints) {
        const deadlineMs = expectedCode(fault) === 'DEADLINE' ? shortMs : longMs;
        const { error, ms } = await meet(side, endpoint, act, deadlineMs);
        calls += 1;
        latest = Math.max(latest, ms - deadlineMs);
        const name = `${side.name} ${endpoint.name}, ${fault}`;
        const code = codeFor(side, endpoint, fault);
        if (error.code !== code) problems.push(`${name}: ${error.code} instead of ${code}`);
        if (ms > deadlineMs + mostLateMs)
          problems.push(`${name}: ${(ms - deadlineMs).toFixed(0)} ms after its deadline`);
      }
    }
    const names = side.endpoints.map(({ name }) => name).join(', ');
    process.stdout.write(`${side.name}: ${Object.keys(faults).length} faults at ${names}\n`);
  }
  process.stdout.write(`${calls} calls; the latest ended ${latest.toFixed(0)} ms after its deadline\n`);
  for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

void main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
