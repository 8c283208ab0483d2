/** The monitor of a random house, or the remote service: answers the requests of a connection. */
import type { ClientResponse, OpenApiKind, RequestOf, ValueOf } from '../../../src/clients/client';
import { CemmError } from '../../../src/errors';
import type { IoRecord, Measurement } from '../../../src/protocol/responses';
import { minuteMs, hourMs, dayMs, millis } from '../../../src/time/units';
import { findUnitStart } from '../bills/calendar';
import { MONITOR, monitorRecord } from '../clients/fake-client';
import { type Answers, ImmediateClient } from '../clients/immediate-client';
import type { Column } from './ledger';
import { lastRecorded, showCounter, type RandomHouse } from './random-house';
import { listedMeters, type Listed, Recorded } from './recorded';

const noValue: Measurement = { time: null, value: null, flaw: 'no_timestamp' };

export class FakeMonitor extends ImmediateClient {
  requests = 0;
  private readonly recorded: Recorded;

  /** @param present epoch ms, also the time of the connection */
  constructor(
    private readonly house: RandomHouse,
    private readonly present: () => number,
  ) {
    super(house.kind, () => millis(present()));
    this.recorded = new Recorded(house, present);
  }

  override request<K extends OpenApiKind>(request: RequestOf<K>): Promise<ClientResponse<ValueOf<K>>> {
    this.requests += 1;
    return super.request(request);
  }

  override close(): void {
    this.requests = 0;
  }

  protected readonly answers: Answers = {
    monitors: () => [monitorRecord(MONITOR)],
    meters: () => this.indexed().map((meter, index) => this.record(meter, index)),
    meter: ({ alias }) => [this.record(this.find(alias), this.indexed().indexOf(this.find(alias)))],
    realtime: ({ alias }) => {
      const meter = this.find(alias);
      const data = new Map([...this.readings(meter, this.present() - 5000), ...this.powers(meter)]);
      const isLocal = this.house.kind === 'local';
      return {
        ioId: 1,
        data: isLocal ? this.powers(meter) : data,
        totals: isLocal ? this.readings(meter, this.present()) : null,
      };
    },
    totals: ({ alias, time }) => {
      const meter = this.find(alias);
      const day = findUnitStart('day', time * 1000);
      const end = findUnitStart('day', day, 1);
      const at = Math.min(this.present() - 5000, end - 1 - this.house.lag);
      const data = this.readings(meter, at, day);
      if (data.has('gas') && this.present() >= end && this.present() < end + this.house.gasDelay)
        data.set('gas', noValue);
      return { ioId: 1, time: millis(day), data };
    },
    series: ({ alias, unit, time }) => {
      const meter = this.find(alias);
      const channels =
        unit === 'day' ? this.recorded.minutes(meter, time * 1000) : this.recorded.parts(meter, unit, time * 1000);
      return { ioId: 1, time: millis(time * 1000), channels };
    },
  };

  private find(alias: string): Listed {
    const meter = this.indexed().find((one) => one.alias === alias);
    if (meter === undefined) throw new CemmError('ALIAS', { status: 412, alias });
    return meter;
  }

  private list: Listed[] | null = null;

  private indexed(): Listed[] {
    this.list ??= listedMeters(this.house);
    return this.list;
  }

  private record({ alias, type }: Listed, index: number): IoRecord {
    const isLocal = this.house.kind === 'local';
    return { ioId: index + 1, port: 3, type, portOption: null, fullId: null, alias: isLocal ? alias : null };
  }

  /**
   * The counters at a moment.
   * @param notBefore readings of earlier days do not count
   */
  private readings(meter: Listed, moment: number, notBefore = -Infinity): Map<string, Measurement> {
    const { house } = this;
    const at = Math.floor(lastRecorded(house, meter.of, moment) / 1000) * 1000;
    const read = (column: Column, base: number, of: Listed['of'], ts = at): Measurement => {
      if (ts < notBefore || ts < house.start - dayMs) return noValue;
      const error = house.wrong.find(
        (one) => one.of === of && notBefore > 0 && findUnitStart('day', one.at) === notBefore,
      );
      return { time: millis(ts), value: showCounter(house, of, column, base, ts) + (error?.by ?? 0), flaw: null };
    };
    const { ledger } = house;
    const gasTime = (): number => Math.floor(lastRecorded(house, 'gas', at) / hourMs) * hourMs;
    if (meter.of === 'gas' && meter.alias === 'p1-gas')
      return new Map([['gas', read(ledger.gas, 4321.5, 'gas', gasTime())]]);
    if (meter.of === 'gas' || meter.of === 'water')
      return new Map([['volume', read(ledger[meter.of], 87.25, meter.of)]]);
    if (meter.of === 'p1') return this.gridReadings(read, gasTime);
    if (meter.of === 'battery' || meter.of === 'device' || meter.of === 'inner') return this.bothWays(meter, read);
    const { taken } = this.recorded.columnsOf(meter);
    const high: Measurement = meter.inverter?.high === 'value' ? { time: millis(at), value: 0, flaw: null } : noValue;
    // An inverter that replaced another one begins at 0.
    const isNew = house.described.replacedAt !== null && meter.inverter?.column === 1;
    const whole = read(taken, isNew ? 0 : 5432.1, 'inverters');
    return new Map([
      ['electric_energy', whole],
      ...(meter.inverter?.high === 'absent'
        ? []
        : [['electric_energy_high', whole.time === null ? noValue : high] as const]),
    ]);
  }

  /** The counters of a meter of the house, by direction. */
  private bothWays(meter: Listed, read: (column: Column, base: number, of: Listed['of']) => Measurement) {
    const { taken, given } = this.recorded.columnsOf(meter);
    const found = new Map([['t1', read(taken, 812.5, meter.of)]]);
    if (given !== null) found.set('t3', read(given, 640.25, meter.of));
    const { high = 'absent' } = this.house.battery ?? {};
    if (meter.of !== 'battery' || high === 'absent') return found;
    const second = (first: Measurement | undefined): Measurement =>
      high === 'no-value' || first?.time === undefined || first.time === null ? noValue : { ...first, value: 0 };
    return found.set('t2', second(found.get('t1'))).set('t4', second(found.get('t3')));
  }

  private gridReadings(
    read: (column: Column, base: number, of: 'p1' | 'gas', ts?: number) => Measurement,
    gasTime: () => number,
  ): Map<string, Measurement> {
    const { ledger, hasTariffs, offersExport, gas } = this.house;
    const empty = new Float64Array(1);
    const low = hasTariffs ? ledger.importLow : ledger.import;
    const lowOut = hasTariffs ? ledger.exportLow : ledger.export;
    const found = new Map<string, Measurement>([
      ['t1', read(low, 1111.5, 'p1')],
      ['t2', hasTariffs ? read(this.high(ledger.import, ledger.importLow), 2222.25, 'p1') : read(empty, 0, 'p1')],
    ]);
    if (offersExport) {
      found.set('t3', read(lowOut, 333.125, 'p1'));
      found.set(
        't4',
        hasTariffs ? read(this.high(ledger.export, ledger.exportLow), 444.5, 'p1') : read(empty, 0, 'p1'),
      );
    }
    if (gas === 'behind' || gas === 'in-p1') found.set('gas', read(ledger.gas, 4321.5, 'gas', gasTime()));
    return found;
  }

  private readonly highs = new Map<Column, Column>();

  private high(all: Column, low: Column): Column {
    const known = this.highs.get(all) ?? all.map((sum, index) => sum - (low[index] ?? 0));
    this.highs.set(all, known);
    return known;
  }

  private powers(meter: Listed): Map<string, Measurement> {
    if (meter.of === 'gas' && meter.alias === 'p1-gas') return new Map();
    const at = lastRecorded(this.house, meter.of, this.present() - 5000);
    const name = meter.of === 'gas' || meter.of === 'water' ? 'flow' : 'electric_power';
    return new Map([
      [
        name,
        { time: millis(at), value: this.recorded.mean(meter, Math.floor(at / minuteMs) * minuteMs, 1), flaw: null },
      ],
    ]);
  }
}
