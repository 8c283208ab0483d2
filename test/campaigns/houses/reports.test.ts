/** A report of every simulated household: made, replayed, and read again. */
import should from 'should';
import type { Exchange } from '../../../src/report/recording';
import { readAll } from '../../../src/report/read-all';
import { recordingHttp } from '../../../src/report/recording';
import { ReplayClock } from '../../../src/report/replay-clock';
import { madeOf } from '../../../src/report/report';
import { readReport } from '../../../src/report/read-report';
import { fileOf, type Report } from '../../../src/report/report-file';
import { millis } from '../../../src/time/units';
import { type HouseName, houses } from '../../../src/simulator/houses';
import { replayedMonitor } from '../../../src/simulator/replayed-monitor';
import { type Mode, reportFrom, routesOf } from '../../support/report/reported-house';
import { routedHttp } from '../../support/report/routed-http';

const modes: readonly Mode[] = ['local', 'remote', 'public'];
/** `npm run campaign -- reports` replays the curves of two days as well. */
const isCampaign = process.env['CEMM_CAMPAIGN'] === '1';
const names = Object.keys(houses).filter((name): name is HouseName => name in houses);

/** Reads the replayed monitor as `makeReport` reads a real one. */
async function readReplayed(report: Report, mode: Mode): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const clock = new ReplayClock(millis(report.at));
  const route = replayedMonitor({ report }, 'demo', () => millis(report.at));
  const http = routedHttp([route], mode === 'remote' ? '/v1/' : '/');
  const target =
    mode === 'remote'
      ? ({ mode, baseUrl: 'https://service.invalid/v1/', apiKey: 'demo' } as const)
      : ({ mode, host: 'monitor.invalid', mac: null, allowLoopback: true } as const);
  await readAll(target, {
    clock,
    at: millis(report.at),
    timezone: report.timezone,
    withDays: report.withDays,
    signal: new AbortController().signal,
    wrapHttp: () => recordingHttp(http, clock, exchanges),
  });
  return exchanges;
}

/** The size of an original body is not that of its replacement, and replayed requests take no time. */
const withoutSize = ({ answer, ...exchange }: Exchange): unknown => ({
  ...exchange,
  ms: 0,
  answer: { ...answer, bytes: 0 },
});

describe('reports of households', function () {
  this.timeout(60_000);

  for (const name of names) {
    it(`${name}: is replayed byte for byte on each interface`, async () => {
      const { routes } = routesOf(name);
      for (const mode of modes) {
        const report = readReport(fileOf(await reportFrom({ mode, routes, withDays: isCampaign })));
        const again = await readReplayed(report, mode);
        JSON.stringify(again.map(withoutSize)).should.equal(JSON.stringify(report.exchanges.map(withoutSize)));
        const made = await madeOf({ ...report, exchanges: again });
        JSON.stringify(made).should.equal(JSON.stringify(report.made));
        should(made.length).be.above(1);
      }
    });
  }
});
