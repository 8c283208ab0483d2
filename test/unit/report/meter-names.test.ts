/** A name of the meters of the house is nowhere in a report, also where a monitor or a delivery repeats it. */
import should from 'should';
import { isRecord } from '../../../src/checks/record';
import { reportOfDeliveries } from '../../../src/report/report';
import { fileOf } from '../../../src/report/report-file';
import { parseMeterRows } from '../../../src/model/meter-table';
import { type Mode, reportedAt, reportFrom, routesOf } from '../../support/report/reported-house';

const typed = ['Warmtepomp zolder', 'Auto "Jansen"', 'Küche/Bad & Gäste'];
const rows = parseMeterRows(typed.map((name, row) => ({ meter: `mb${row + 2}`, name, role: 'consumption' })));
const names = rows.flatMap(({ name }) => name ?? []);

/** A name as it is, in a URL, in JSON within JSON, and with every character as an escape. */
function writtenForms(name: string): string[] {
  const escaped = Array.from(name, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const quoted = JSON.stringify(name).slice(1, -1);
  return [name, encodeURIComponent(name), quoted, JSON.stringify(quoted).slice(1, -1), escaped];
}

/** Members that repeat every name. */
function repeated(): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name, index): [string, string | number][] => [
      [`label${index}`, name],
      [`remark${index}`, `the meter ${name} is behind p1`],
      [`link${index}`, `https://monitor.example/?meter=${encodeURIComponent(name)}`],
      [`settings${index}`, JSON.stringify({ name })],
      [name, 1],
    ]),
  );
}

/** The answer of a monitor whose meters have the names as labels. */
function withNames(text: string): string {
  const answer: unknown = JSON.parse(text);
  if (!isRecord(answer)) return text;
  const { meters } = answer;
  const labelled = Array.isArray(meters)
    ? { meters: meters.map((meter: object, index) => ({ ...meter, label: names[index % names.length] })) }
    : {};
  return JSON.stringify({ ...answer, ...labelled, ...repeated() });
}

function expectNoName(file: string): void {
  for (const name of names) for (const form of writtenForms(name)) should(file.includes(form)).equal(false, form);
}

describe('the names of meters in reports', () => {
  for (const mode of ['local', 'public', 'remote'] as const satisfies readonly Mode[]) {
    it(`are replaced in the answers of a monitor: ${mode}`, async () => {
      const { routes } = routesOf('devices');
      const original: string[] = [];
      const body = (text: string): string => {
        const answer = withNames(text);
        original.push(answer);
        return answer;
      };
      const report = await reportFrom({ mode, routes, body, withDays: false });
      report.exchanges.length.should.be.above(3);
      for (const name of names) original.join().should.containEql(JSON.stringify(name).slice(1, -1));
      expectNoName(fileOf(report));
    });
  }

  it('are replaced in deliveries', async () => {
    const value = { reading: { time: reportedAt / 1000, value: 5 } };
    const data = Object.fromEntries(names.map((name) => [name, { electric_energy_import: value }]));
    const body = Buffer.from(JSON.stringify({ cemm: 1, time: reportedAt / 1000, data, ...repeated() }));
    const received = { at: reportedAt, headers: { 'x-meter': names.join() }, body };
    const report = await reportOfDeliveries([received], { timezone: 'Europe/Amsterdam', version: '0.0.0' });
    report.deliveries.should.have.length(1);
    expectNoName(fileOf(report));
  });
});
