/** A house of the simulator's table at one moment, with its interfaces in this process: no sockets, and no time passes. */
import type { MonitorClient } from '../../../src/clients/client';
import { createLocalClient } from '../../../src/clients/local-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { MeterTable, parseMeterRows } from '../../../src/model/meter-table';
import type { Clock } from '../../../src/time/clock';
import { millis } from '../../../src/time/units';
import type { FaultName } from '../../../src/simulator/faults';
import { type HouseName, houses, listHouseMeters } from '../../../src/simulator/houses';
import { type DescribedMeter, deviceSources, type House, type Source } from '../../../src/simulator/house';
import type { Household } from '../../../src/simulator/household';
import type { Route } from '../../../src/simulator/http-server';
import { createMonitors } from '../../../src/simulator/identity';
import { localApi } from '../../../src/simulator/local-api';
import { monitorNow } from '../../../src/simulator/metered-household';
import { publicApi } from '../../../src/simulator/public-api';
import { createPendingPromises, remoteApi } from '../../../src/simulator/remote-api';
import type { MonitorState } from '../../../src/simulator/series';
import type { SimulatedMonitor } from '../../../src/simulator/simulator';
import { routedHttp } from '../report/routed-http';
import type { Flow, Flowed } from './invariants';

/** The meters of each flow. */
const sourcesOf: Readonly<Record<Flow, readonly Source[]>> = {
  import: ['grid'],
  export: ['grid'],
  production: ['roof', 'garage'],
  charged: ['battery'],
  discharged: ['battery'],
  gas: ['gas'],
  water: ['water'],
};

export class SimulatedHouse {
  readonly house: House;
  readonly household: Household;
  readonly monitor: SimulatedMonitor;
  readonly flowed: Flowed;
  /** kWh into a device, by alias or key, and out of it. */
  readonly used: (meter: string, from: number, to: number) => number;
  readonly returned: (meter: string, from: number, to: number) => number;
  readonly routes: Readonly<Record<'local' | 'remote' | 'public', Route>>;

  /** @param now epoch ms of the wall clock; the events of the house are relative to it */
  constructor(
    readonly name: HouseName,
    now: number,
    since: number,
    /** Time of the clock during a request. */
    clock: { readonly moment: number },
  ) {
    const house = houses[name];
    this.house = house;
    const faults = new Set<FaultName>(house.faults ?? []);
    const believed = (): ReturnType<typeof millis> =>
      monitorNow({ now: () => millis(clock.moment), speed: 0 }, faults, house);
    const at = monitorNow({ now: () => millis(now), speed: 0 }, faults, house);
    const names = { names: faults, now: believed };
    const monitors = createMonitors({ seed: 1, count: 1, house, now: at, since: millis(since), faults: names });
    const [monitor] = monitors;
    if (monitor === undefined) throw new Error('one monitor');
    this.monitor = monitor;
    const { household } = monitor;
    this.household = household;
    const { dsmr = 5 } = house;
    const state = (): MonitorState => ({ household, now: believed(), dsmr, modbus: 5, faults });
    const promises = createPendingPromises({ readyMs: () => 0, renews: false, now: () => 0 });
    this.routes = {
      local: localApi(monitor, state),
      remote: remoteApi({ monitors, apiKey: 'demo', promises, promiseBody: 'string', state, faults }),
      public: publicApi(monitor, state, '192.168.1.20'),
    };
    const installed = new Set(listHouseMeters(house).map(({ of }) => of));
    if (listHouseMeters(house).some(({ gas }) => gas === true)) installed.add('gas');
    const flowedIn = (meter: string, from: number, to: number) => {
      const of = listHouseMeters(house).find(({ alias, key }) => alias === meter || key === meter)?.of;
      const [first, last] = [Math.max(household.since, from), Math.max(household.since, to)];
      return { of, truth: household.truth(millis(first), millis(Math.max(first, last))) };
    };
    this.used = (meter, from, to) =>
      this.metersInRow(meter).reduce((sum, one) => {
        const { of, truth } = flowedIn(one, from, to);
        const device = deviceSources.find((source) => source === of);
        return sum + (device === undefined ? truth.charged : truth[device]);
      }, 0);
    this.returned = (...asked) => {
      const { of, truth } = flowedIn(...asked);
      return of === 'battery' ? truth.discharged : 0;
    };
    this.flowed = (flow, from, to) => {
      if (!sourcesOf[flow].some((source) => installed.has(source))) return null;
      const [first, last] = [Math.max(household.since, from), Math.max(household.since, to)];
      return household.truth(millis(first), millis(last))[flow];
    };
  }

  /** The meters of the house as its owner describes them. */
  get table(): MeterTable {
    return new MeterTable(parseMeterRows(this.house.rows ?? []));
  }

  /** The same meters by the keys that they have in deliveries. */
  get deliveredTable(): MeterTable {
    // Some houses describe their meters by key as well.
    const byMeter = new Map(this.rowsByKey.map((row) => [row.meter, row]));
    return new MeterTable(parseMeterRows([...byMeter.values()]));
  }

  /** The meter of the device behind which a device is. */
  within(meter: string): string | undefined {
    return [...(this.house.rows ?? []), ...this.rowsByKey].find((row) => row.meter === meter)?.within;
  }

  /** A meter, and those that it replaced or that replaced it. */
  private metersInRow(meter: string): readonly string[] {
    const rows = [...(this.house.rows ?? []), ...this.rowsByKey].map((row) => row.meter.split(','));
    return rows.find((meters) => meters.includes(meter)) ?? [meter];
  }

  private get rowsByKey(): readonly DescribedMeter[] {
    const keys = new Map(listHouseMeters(this.house).map(({ alias, key = alias }) => [alias, key]));
    const keyOf = (meters: string): string =>
      meters
        .split(',')
        .map((alias) => keys.get(alias) ?? alias)
        .join();
    return (this.house.rows ?? []).map((row) => ({
      ...row,
      meter: keyOf(row.meter),
      ...(row.within !== undefined && { within: keyOf(row.within) }),
    }));
  }

  /** The client of the package, which this house answers. */
  client(kind: 'local' | 'remote', clock: Clock): MonitorClient {
    const wrapHttp = () => routedHttp([this.routes[kind]], kind === 'remote' ? '/v1/' : '/');
    return kind === 'local'
      ? createLocalClient({ host: '192.168.1.20', clock, wrapHttp, isInProcess: true })
      : createRemoteClient({ baseUrl: 'https://service.invalid/v1/', apiKey: 'demo', clock, wrapHttp });
  }
}
