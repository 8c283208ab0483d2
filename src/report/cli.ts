#!/usr/bin/env node
/** The command `cemm-report`: makes a report of a monitor and writes it to a file. Sends it nowhere. */
import { writeFileSync } from 'node:fs';
import { CemmError, packageVersion } from '../errors';
import { CommandLineError, parseReportCommand, type ReportCommand } from './cli-options';
import { makeReport } from './report';
import { fileOf } from './report-file';

const help = `cemm-report: makes a report of a CEMM monitor, for an issue of this project.

  cemm-report --host HOST --output FILE           a monitor in your network
  cemm-report --base-url URL --output FILE        the remote service, with your API key in CEMM_API_KEY

  --generation 2|3   of the monitor at --host: 3 is a CEMM 3.0; default 2
  --mac MAC          the monitor that must answer at --host
  --timezone ZONE    IANA zone of the house, default Europe/Amsterdam
  --days             also the curves of yesterday and today, which show when people are at home
  --allow-loopback   --host may be this machine, such as a simulator
  --output FILE      - writes to standard output

It requests everything that the connection offers once, which takes up to some minutes, and writes one JSON file. MAC addresses,
names, addresses, keys and numbers in it are stand-ins, meter readings are shifted, and dates are moved by whole weeks. Power,
amounts of days and months, versions and the time zone stay. Read the file before you share it: it is sent nowhere.
Ends with 0 if the file is written, 1 if the monitor cannot be reached, 2 if the options are wrong.
`;

async function main(): Promise<void> {
  const command = parseReportCommand(process.argv.slice(2), process.env);
  if (command === 'help') {
    process.stdout.write(help);
    return;
  }
  await run(command);
}

async function run({ target, timezone, withDays, output }: ReportCommand): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => {
    stop.abort();
  });
  const report = await makeReport(target, {
    ...{ timezone, withDays, version: packageVersion(), signal: stop.signal },
    onProgress(done, known) {
      process.stderr.write(`cemm-report: request ${done + 1} of ${known}\n`);
    },
  });
  if (output === '-') process.stdout.write(fileOf(report));
  else writeFileSync(output, fileOf(report));
  const replaced = Object.entries(report.replaced).map(([kind, count]) => `${kind} ${count}`);
  const failed = report.made.filter((made) => 'error' in made).length;
  process.stderr.write(
    `cemm-report: ${report.exchanges.length} answers, ${failed} of ${report.made.length} readings failed; replaced: ${replaced.join(', ')}\n`,
  );
  if (failed === report.made.length) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.exitCode = error instanceof CommandLineError ? 2 : 1;
  const isKnown = error instanceof CommandLineError || error instanceof CemmError;
  process.stderr.write(`cemm-report: ${isKnown ? error.message : 'failed'}\n`);
});
