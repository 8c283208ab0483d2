/** A monitor with faults at an address of the own network. The real client speaks with it, so it verifies which monitor answers. */
import type { Http, HttpOutcome, HttpRequest } from '../../../src/clients/http';
import { createLocalClient, type LocalClient } from '../../../src/clients/local-client';
import { CemmError } from '../../../src/errors';
import { type MonitorId, toMacText } from '../../../src/protocol/mac';
import type { IoRecord, Measurements, Samples } from '../../../src/protocol/responses';
import { millis, millisToSeconds } from '../../../src/time/units';
import type { FaultyMonitor, World } from './faulty-house';

/** @param mac as a user fills it in; null: the first monitor that answers is the right one */
export function localClientOf(monitor: FaultyMonitor, clock: World, mac: MonitorId | null): LocalClient {
  const wrapHttp = (): Http => new FaultyNetwork(monitor);
  return createLocalClient({ host: '192.168.1.20', mac, clock, wrapHttp, isInProcess: true });
}

/** Each request has a socket of its own. */
class FaultyNetwork implements Http {
  constructor(private readonly monitor: FaultyMonitor) {}

  async get({ path, params = {} }: HttpRequest): Promise<HttpOutcome> {
    const answered = { kind: 'answer', sent: 1, isNewSocket: true } as const;
    try {
      const body = Buffer.from(JSON.stringify(await this.answer(path.replace('open-api/v1/', ''), params)));
      return { ...answered, status: 200, body };
    } catch (error) {
      if (!(error instanceof CemmError)) throw error;
      if (error.code === 'ALIAS') return { ...answered, status: 404, body: Buffer.from('{}') };
      return { kind: 'failure', failure: { code: 'NETWORK', reason: 'unreachable' }, retryAfterMs: null, sent: 1 };
    }
  }

  close(): void {
    this.monitor.close();
  }

  private async answer(path: string, { time = '' }: Readonly<Record<string, string>>): Promise<object> {
    const { monitor } = this;
    const { id } = monitor;
    const [alias = '', , unit] = path.split('/');
    if (path === '') {
      await monitor.request({ kind: 'monitors' });
      return { data: { mac: toMacText(id) } };
    }
    if (alias === 'io') {
      const { value } = await monitor.request<'meters'>({ kind: 'meters', monitor: id });
      return { data: value.map(ioRecord) };
    }
    if (unit === 'day' || unit === 'month' || unit === 'year') {
      const at = millisToSeconds(millis(Number(time) * 1000));
      const { value } = await monitor.request<'series'>({ kind: 'series', monitor: id, alias, unit, time: at });
      const channels = [...value.channels].map(([name, samples]) => [name, pairsOf(samples)] as const);
      return { io_id: value.ioId, time: value.time, data: Object.fromEntries(channels) };
    }
    const { value } = await monitor.request<'realtime'>({ kind: 'realtime', monitor: id, alias });
    return { io_id: value.ioId, data: measurementsOf(value.data) };
  }
}

function ioRecord({ ioId, port, type, alias }: IoRecord): object {
  return { io_id: ioId, port, type, alias };
}

function pairsOf({ times, values }: Samples): [number, number][] {
  return Array.from(times, (at, index) => [at, values[index] ?? 0]);
}

function measurementsOf(data: Measurements): object {
  return Object.fromEntries([...data].map(([name, { time, value }]) => [name, [time, value]]));
}
