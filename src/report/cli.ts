#!/usr/bin/env node
/** The command `cemm-report`: makes a report of a monitor and writes it to a file. Sends it nowhere. */
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import { CemmError, packageVersion } from '../errors';
import { CommandLineError, replaceOptionNames, parseReportCommand, type ReportCommand } from './cli-options';
import { recordDeliveries } from './record-deliveries';
import { makeReport, reportOfDeliveries } from './report';
import { fileOf, type Report } from './report-file';

const help = `cemm-report: makes a report of a CEMM monitor, for an issue of this project.

  cemm-report --host HOST --output FILE           a monitor in your network
  cemm-report --base-url URL --output FILE        the remote service, with your API key in CEMM_API_KEY
  cemm-report --listen PORT --output FILE         the next ten deliveries of a webhook to this computer

  --generation 2|3   of the monitor at --host: 3 is a CEMM 3.0; default 2
  --mac MAC          the monitor that must answer at --host
  --timezone ZONE    IANA zone of the house, default Europe/Amsterdam
  --days             also the curves of yesterday and today, which show when people are at home
  --address IP       where --listen listens, default 0.0.0.0
  --allow-loopback   --host may be this machine, such as a simulator
  --output FILE      - writes to standard output

It requests everything that the connection offers once, which takes up to some minutes, and writes one JSON file. MAC addresses,
names, addresses, keys and numbers in it are stand-ins, meter readings are shifted, and dates are moved by whole weeks. Power,
amounts of days and months, versions and the time zone stay. Read the file before you share it: it is sent nowhere.
Ends with 0 if the file is written, 1 if nothing could be read or came, 2 if the options are wrong.
`;

async function main(): Promise<void> {
  const command = parseReportCommand(process.argv.slice(2), process.env);
  if (command === 'help') {
    process.stdout.write(help);
    return;
  }
  await writeReport(command);
}

async function writeReport(command: ReportCommand): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => {
    stop.abort();
  });
  const report = await make(command, stop.signal);
  if (command.output === '-') process.stdout.write(fileOf(report));
  else writePrivately(command.output, fileOf(report));
  const replaced = Object.entries(report.replaced).map(([kind, count]) => `${kind} ${count}`);
  const errors = report.made.flatMap((made) => ('error' in made ? [made.error] : []));
  printLine(`${report.exchanges.length} requests, ${errors.length} of ${report.made.length} readings failed`);
  printLine(`${report.deliveries.length} deliveries; replaced: ${replaced.join(', ')}`);
  for (const { delivery, reason } of report.leftOut ?? []) printLine(`delivery ${delivery} is left out: ${reason}`);
  if (report.made.length > errors.length || report.deliveries.length > 0) return;
  const [first] = errors;
  if (first !== undefined)
    printLine(replaceOptionNames(new CemmError(first.code, { reason: first.reason ?? undefined }).message));
  process.exitCode = 1;
}

async function make({ target, timezone, withDays }: ReportCommand, signal: AbortSignal): Promise<Report> {
  const common = { timezone, version: packageVersion() };
  if (target.mode !== 'webhook') {
    const onProgress = (done: number, known: number): void => {
      printLine(`request ${done + 1} of ${known}`);
    };
    return makeReport(target, { ...common, withDays, signal, onProgress });
  }
  const deliveries = await recordDeliveries({
    ...target,
    signal,
    onListening(port) {
      printLine(`waiting for ten deliveries, one hour at most, at port ${port}; Ctrl+C ends it earlier`);
    },
    onDelivery(count) {
      printLine(`delivery ${count}`);
    },
  });
  return reportOfDeliveries(deliveries, common);
}

/** Only the user of this process can read the file, also if there is one of that name already. */
function writePrivately(file: string, text: string): void {
  const opened = openSync(file, 'w', 0o600);
  try {
    if (fstatSync(opened).isFile()) fchmodSync(opened, 0o600);
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

function printLine(line: string): void {
  process.stderr.write(`cemm-report: ${line}\n`);
}

main().catch((error: unknown) => {
  process.exitCode = error instanceof CommandLineError ? 2 : 1;
  const isKnown = error instanceof CommandLineError || error instanceof CemmError;
  process.stderr.write(`cemm-report: ${isKnown ? replaceOptionNames(error.message) : 'failed'}\n`);
});
