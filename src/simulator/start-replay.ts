/** Starts `cemm-simulator --replay`: one interface, which answers as a monitor did in its report. */
import type { Report } from '../report/report-file';
import { startHttpInterface } from './http-server';
import { type ReplayOptions, replayedMonitor } from './replayed-monitor';
import type { SimulatedClock } from './simulated-clock';
import type { SimulatorOptions } from './simulator';

export interface StartReplayOptions
  extends ReplayOptions, Pick<SimulatorOptions, 'localPort' | 'remotePort' | 'address' | 'apiKey' | 'log'> {
  readonly clock: SimulatedClock;
}

interface StartedReplay {
  /** As `local` and `remote` of a simulator. */
  readonly local: string | null;
  readonly remote: string | null;
  close(): Promise<void>;
}

/** @throws {RangeError} the report is of another interface */
export async function startReplay({ clock, apiKey = 'demo', ...options }: StartReplayOptions): Promise<StartedReplay> {
  const { mode } = options.report;
  const isRemote = mode === 'remote';
  const port = checkedPort(mode, isRemote ? options.remotePort : options.localPort);
  const server = await startHttpInterface({
    ...{ name: isRemote ? 'remote' : 'local', port, address: options.address ?? '127.0.0.1' },
    ...{
      pages: [],
      routes: [replayedMonitor(options, apiKey, () => clock.now())],
      faults: new Set(),
      requests: new Map(),
    },
    log: options.log ?? (() => undefined),
  });
  const { origin } = server;
  return { local: isRemote ? null : origin, remote: isRemote ? `${origin}/v1/` : null, close: () => server.close() };
}

function checkedPort(mode: Report['mode'], port: number | undefined): number {
  if (mode === 'webhook') throw new RangeError('A report of deliveries has no answers to requests.');
  if (port !== undefined) return port;
  throw new RangeError(`The report is of the ${mode} interface: add --${mode === 'remote' ? 'remote' : 'local'}-port.`);
}
