/** The cost of an installation: bytes to download and to store, and code that runs at start. */
import 'should';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesIn } from '../support/node-red/folder-size';
import { installedModules, projectDir } from '../support/node-red/installed-package';
import { NodeRed, tab } from '../support/node-red/node-red';
import { until } from '../support/until';

describe('the package', function () {
  this.timeout(180_000);

  it('is installed with its dependencies in 9 MB', async () => {
    (await bytesIn(await installedModules())).should.be.below(9_000_000);
  });

  it('has code as the compiler writes it, from one file of the source each', async () => {
    const dist = `${await installedModules()}/node-red-contrib-cemm/dist`;
    const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
    files.length.should.be.above(300);
    const withoutSource = files.filter((name) => !existsSync(join(projectDir, name.replace(/\.js$/, '.ts'))));
    withoutSource.should.be.empty();
    const minified: string[] = [];
    for (const name of files) {
      const lines = (await readFile(`${dist}/${name}`, 'utf8')).split('\n');
      if (lines.some((line) => line.length > 500)) minified.push(name);
    }
    minified.should.be.empty();
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
      return (await nodeRed.ask('modules'))
        .filter((file) => file.startsWith(folder) && !file.endsWith('.json'))
        .map((file) => file.slice(folder.length));
    }

    it('loads no client, no time zone, no simulator and no dependency before a flow needs them', async () => {
      const files = await loaded();
      const types = files.filter((file) => /^node-red-contrib-cemm\/dist\/nodes\/cemm-[\w-]+\/runtime\.js$/.test(file));
      types.length.should.equal(9);
      files.should.matchEach(/^node-red-contrib-cemm\/dist\//);
      const later =
        /\/(?:node|connection|admin-handlers|webhook-routes)\.js$|\/src\/(?!protocol\/protocol-error|loading\/)\w+\/|\/lib\/editor\//;
      files.filter((file) => later.test(file)).should.be.empty();
    });

    it('loads little more than the registration of nine types', async () => {
      const files = await loaded();
      const sizes = await Promise.all(files.map(async (file) => (await stat(`${folder}${file}`)).size));
      files.length.should.be.below(40);
      sizes.reduce((sum, size) => sum + size, 0).should.be.below(120_000);
    });

    it('loads nothing of dialogs with a node but the checks of its stored properties', async () => {
      await nodeRed.deploy([
        tab(),
        { id: 'connection', type: 'cemm-connection', mode: 'local', host: '127.0.0.1:9' },
        realtime,
      ]);
      const isDialogs = /\/(?:lib\/editor\/(?!(?:checks|prices\/checks|prices\/form)\.js)|check-flow\/)/;
      (await loaded()).filter((file) => isDialogs.test(file) && !file.includes('/src/')).should.be.empty();
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
  id: 'realtime',
  type: 'cemm-realtime',
  z: 'flow',
  connection: 'connection',
  alias: 'p1',
  interval: 5,
  wires: [[], []],
};
