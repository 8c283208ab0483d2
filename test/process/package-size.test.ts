/** The cost of an installation: bytes to download and to store, and code that runs at start. */
import 'should';
import { readdir, stat } from 'node:fs/promises';
import { bytesIn } from '../support/node-red/folder-size';
import { installedModules, tarballBytes } from '../support/node-red/installed-package';
import { NodeRed, tab } from '../support/node-red/node-red';
import { until } from '../support/until';

describe('the package', function () {
  this.timeout(180_000);

  it('packs into 480 kB', async () => {
    (await tarballBytes()).should.be.below(480_000);
  });

  it('is installed with its dependencies in 12 MB', async () => {
    (await bytesIn(await installedModules())).should.be.below(12_000_000);
  });

  it('leaves out what is read on the web: pages in Dutch, the documentation, its site', async () => {
    const files = await readdir(`${await installedModules()}/node-red-contrib-cemm`);
    files.should.containDeep(['README.md', 'dist', 'package.json']);
    files.filter((name) => /^(?:README.+nl|docs$|site$)/.test(name)).should.be.empty();
  });

  describe('at the start', () => {
    let nodeRed: NodeRed;
    let folder: string;

    before(async () => {
      nodeRed = await NodeRed.start();
      folder = `${nodeRed.userDir}/node_modules/`;
    });
    after(() => nodeRed.stop());

    /** Code below node_modules; Node-RED itself reads the package.json of everything there. */
    async function loaded(): Promise<string[]> {
      return (await nodeRed.modules())
        .filter((file) => file.startsWith(folder) && !file.endsWith('.json'))
        .map((file) => file.slice(folder.length));
    }

    it('loads no client, no time zone, no simulator and no dependency before a flow needs them', async () => {
      const files = await loaded();
      const types = files.filter((file) => /^node-red-contrib-cemm\/dist\/nodes\/cemm-[\w-]+\/runtime\.js$/.test(file));
      types.length.should.equal(9);
      files.should.matchEach(/^node-red-contrib-cemm\/dist\/nodes\//);
      files.should.not.containEql(`node-red-contrib-cemm/dist/nodes/lib/nodes.js`);
    });

    it('loads little more than the registration of nine types', async () => {
      const files = await loaded();
      const sizes = await Promise.all(files.map(async (file) => (await stat(`${folder}${file}`)).size));
      files.length.should.be.below(26);
      sizes.reduce((sum, size) => sum + size, 0).should.be.below(45_000);
    });

    it('loads the simulator with a demo monitor, and the HTTP client with a real one', async () => {
      const use = async (mode: string, properties: object): Promise<void> => {
        const connection = { id: 'connection', type: 'cemm-connection', mode, ...properties };
        await nodeRed.deploy([tab(), connection, realtime]);
      };
      const has = async (start: string): Promise<boolean> => (await loaded()).some((file) => file.startsWith(start));
      const simulator = 'node-red-contrib-cemm/dist/src/simulator/index.js';
      await use('local', { host: '127.0.0.1:9' });
      await until('the HTTP client', () => has('axios/'));
      (await has(simulator)).should.be.false();
      await use('demo', {});
      await until('the simulator', () => has(simulator));
    });
  });
});

const realtime = {
  ...{ id: 'realtime', type: 'cemm-realtime', z: 'flow', connection: 'connection', alias: 'p1', interval: 5 },
  wires: [[], []],
};
