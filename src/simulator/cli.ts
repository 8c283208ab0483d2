#!/usr/bin/env node
/** The command `cemm-simulator`: starts the simulator, says where it is, reports what happens, ends cleanly. */
import { toMonitorId, toRemoteUid } from '../wire/mac';
import { helpText } from './cli-help';
import { CommandLineError, parseCommandLine } from './cli-options';
import { startSimulator } from './start-simulator';
import type { Simulator, SimulatorOptions } from './simulator';

type Line = Readonly<Record<string, unknown>>;

const WRONG_COMMAND_LINE = 2;

async function main(): Promise<void> {
  const command = parseCommandLine(process.argv.slice(2));
  if (command.kind === 'help') {
    process.stdout.write(helpText());
    return;
  }
  await run(command.options);
}

async function run(options: SimulatorOptions): Promise<void> {
  const ended = endOfProcess();
  // Addresses are the first line, whatever happens while the interfaces open.
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

function readyLine({ local, remote, udp, monitors }: Simulator): Line {
  const [first] = monitors;
  const id = toMonitorId(first?.mac);
  return { ready: true, local, remote, udp, mac: first?.mac, uid: id && toRemoteUid(id), cemm: first?.cemm };
}

function printLine(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Settles when someone wants this process to end: by signal, or by no longer reading what it prints. */
function endOfProcess(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      resolve();
    };
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
    process.stdout.on('error', end);
  });
}

main().catch((error: unknown) => {
  process.exitCode = error instanceof CommandLineError ? WRONG_COMMAND_LINE : 1;
  process.stderr.write(`cemm-simulator: ${error instanceof Error ? error.message : 'failed'}\n`);
});
