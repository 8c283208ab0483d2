#!/usr/bin/env node
/** The command `cemm-simulator`: starts the simulator, prints its addresses and its log, and closes it. */
import { largest } from '../checks/extremes';
import { CommandLineError } from '../report/cli-options';
import { demoKey } from '../report/deliveries';
import { faults } from './faults';
import { houses } from './houses';
import { toMonitorId, toRemoteUid } from '../protocol/mac';
import { parseCommandLine } from './cli-options';
import { startReplay, type StartReplayOptions } from './start-replay';
import { startSimulator } from './start-simulator';
import type { Simulator, SimulatorOptions } from './simulator';

/** The output of `cemm-simulator --help`. */
export function helpText(): string {
  return `cemm-simulator: a simulated CEMM energy monitor and its service, to develop and test against.

Interfaces (omitted = off, port 0 = any free one)
  --local-port N         Local Open API, public API of a CEMM 3.0, status page (GET /status), manual run
                         (POST /webhook/run-now)
  --remote-port N        Remote Open API
  --udp-port N           discovery (a real monitor listens on 9777)
  --address IP           listen here, default 127.0.0.1

House and clock
  --house NAME           one of the houses below, default standard
  --replay FILE          answer as a monitor did in its report (cemm-report makes one), at the times of the report
  --today                with --replay: the readings are of now, and series end today
  --timezone ZONE        IANA zone of the house, default Europe/Amsterdam
  --now ISO              where the clock starts, default now; without an offset it is the time in the zone
  --speed N              simulated seconds per second, default 1; 0 = frozen
  --seed N               another number is another household
  --dsmr 4|5             generation of the smart meter: gas hourly or every 5 minutes, default 5
  --modbus N             address of the Modbus meter (alias mbN), 1 to 247, default 5
  --monitors N           how many monitors the key has, default 1

Remote service
  --api-key KEY          default demo
  --promise MS           answer 202 for so long before the data are there, default 0

Webhook
  --webhook URL          send deliveries there; with --replay those of the report, the first one at once
  --webhook-type TYPE    post (basic-v1) or public (result of the public API), default post
  --webhook-request PATH path and query of a public delivery, such as /api/v1/public/meters or
                         '/api/v1/public/timeseries?channels=zon:electric_energy_export,water:volume&resolution=day&count=7'
  --hmac-key KEY         sign each delivery; with --replay the default is the key of reports,
                         ${demoKey}
  --header 'Name: value' an extra header; repeatable
  --every SECONDS        simulated seconds between deliveries, aligned to the wall clock, default 60
  --count N              stop after so many; the command ends when it serves nothing else

Faults
  --fault NAME           repeatable:
${alignEntries(Object.entries(faults))}

Houses
${alignEntries(Object.entries(houses).map(([name, { about }]) => [name, about]))}

When it is ready it prints one JSON line with the addresses, then one JSON line per request and delivery.
`;
}

function alignEntries(entries: readonly (readonly [name: string, text: string])[]): string {
  const width = largest(entries.map(([name]) => name.length));
  return entries.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
}

type Line = Readonly<Record<string, unknown>>;

const invalidUsageCode = 2;

async function main(): Promise<void> {
  const command = parseCommandLine(process.argv.slice(2));
  if (command.kind === 'help') {
    process.stdout.write(helpText());
    return;
  }
  await (command.kind === 'replay' ? replay(command.options) : runSimulator(command.options));
}

async function runSimulator(options: SimulatorOptions): Promise<void> {
  const ended = endOfProcess();
  // The addresses have to be the first line, so earlier log lines are kept.
  const early: Line[] = [];
  let print = (line: Line): void => void early.push(line);
  const simulator = await startSimulator({
    ...options,
    log: (line) => {
      print(line);
    },
  });
  print = printLine;
  [readyLine(simulator), ...early].forEach(printLine);
  const served = simulator.local ?? simulator.remote ?? simulator.udp;
  await (served === null && simulator.webhook ? Promise.race([ended, simulator.webhook.done]) : ended);
  await simulator.close();
}

async function replay(options: Omit<StartReplayOptions, 'log'>): Promise<void> {
  const ended = endOfProcess();
  const server = await startReplay({ ...options, log: printLine });
  printLine({ ready: true, local: server.local, remote: server.remote });
  await (server.deliveries === null ? ended : Promise.race([ended, server.deliveries.done]));
  await server.close();
}

function readyLine({ local, remote, udp, monitors }: Simulator): Line {
  const [first] = monitors;
  const id = toMonitorId(first?.mac);
  return { ready: true, local, remote, udp, mac: first?.mac, uid: id && toRemoteUid(id), cemm: first?.cemm };
}

function printLine(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Settles on SIGINT, SIGTERM or a closed output. */
function endOfProcess(): Promise<void> {
  return new Promise((resolve) => {
    const endProgram = () => {
      resolve();
    };
    process.once('SIGINT', endProgram);
    process.once('SIGTERM', endProgram);
    process.stdout.on('error', endProgram);
  });
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.exitCode = error instanceof CommandLineError ? invalidUsageCode : 1;
    process.stderr.write(`cemm-simulator: ${error instanceof Error ? error.message : 'failed'}\n`);
  });
}
