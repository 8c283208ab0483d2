/** The input of a Dashboard 2 chart in a whole Node-RED: lines named in its language, of chosen fields. */
import should from 'should';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { formatDefaults } from '../../nodes/cemm-format/config';
import { seriesDefaults } from '../../nodes/cemm-series/config';
import type { ChartPoint } from '../../src/formats/chart';
import { collector, NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const chart: FlowNode = {
  ...formatDefaults,
  id: 'chart',
  type: 'cemm-format',
  z: 'flow',
  format: 'chart',
  wires: [['lines']],
};
const chosen: FlowNode = {
  ...chart,
  id: 'chosen',
  fields: 'energy_net_t1_kwh, energy_net_t2_kwh',
  wires: [['tariffs']],
};

describe('a chart in a Node-RED of another language', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({ settings: "lang: 'nl',", env: { CEMM_TEST_CLOCK: '2026-06-18T16:40:00+02:00' } });
    await nodeRed.deploy([
      tab(),
      { ...connectionDefaults, id: 'house', type: 'cemm-connection', mode: 'demo' },
      {
        ...seriesDefaults,
        id: 'month',
        type: 'cemm-series',
        z: 'flow',
        connection: 'house',
        alias: 'p1',
        period: 'month',
        interval: 3600,
        wires: [['chart', 'chosen']],
      },
      chart,
      chosen,
      ...collector('lines'),
      ...collector('tariffs'),
    ]);
  });
  after(() => nodeRed.stop());

  async function points(id: string): Promise<ChartPoint[]> {
    const [message] = await until(id, async () => {
      const messages = await nodeRed.messages(id);
      return messages.length > 0 && messages;
    });
    return message?.payload as ChartPoint[];
  }

  it('has one line with a name and days in Dutch, and no tariffs beside their sum', async () => {
    const all = await points('lines');
    all.should.have.length(18);
    should(all[0]).containEql({ series: 'Netto afname', label: '1 jun' });
    new Set(all.map(({ series }) => series)).size.should.equal(1);
  });

  it('has the lines of the chosen fields', async () => {
    const names = (await points('tariffs')).map(({ series }) => series);
    [...new Set(names)].should.eql(['Netto afname, tarief 1', 'Netto afname, tarief 2']);
  });
});
