/** The library alone in another program: the installed package without Node-RED. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import should from 'should';
import ts from 'typescript';
import { startSimulator, type Simulator } from '../../src/simulator/index';
import { installedModules, projectDir } from '../support/node-red/installed-package';
import { freePort } from '../support/node-red/node-red';
import { snippetsOf, type Snippet } from '../support/docs/snippets';
import { until } from '../support/until';
import { delivery, post } from '../support/webhook/sending';

const run = promisify(execFile);

const program = `
  const cemm = require('node-red-contrib-cemm');
  const loaded = (part) => Object.keys(require.cache).filter((file) => file.includes(part));
  (async () => {
    const simulatorBefore = loaded('/src/simulator/');
    const simulator = await cemm.startSimulator({ localPort: 0, remotePort: 0, timezone: 'Europe/Lisbon' });
    const timezone = 'Europe/Lisbon';
    const connections = [
      await cemm.connect({ host: simulator.local, timezone, allowLoopback: true }),
      await cemm.connect({ apiKey: 'demo', baseUrl: simulator.remote, timezone }),
    ];
    const lines = [];
    for (const house of connections) {
      const reading = await house.realtime('p1');
      const [{ payload }] = cemm.createFormatter('values')({ payload: reading });
      lines.push({ transport: reading.source.transport, gas: payload.gas_m3 });
      await house.close();
    }
    const today = await cemm.connect({ host: simulator.local, generation: 3, allowLoopback: true });
    await today.meters();
    lines.push({ transport: today.transport, zone: today.timezone });
    await today.close();
    await simulator.close();
    const nodeRed = [...loaded('node-red/'), ...loaded('@node-red')];
    const simulatorAfter = loaded('/src/simulator/');
    console.log(JSON.stringify({ lines, nodeRed, simulatorBefore, simulatorAfter }));
  })();
`;

interface Printed {
  readonly lines: readonly Record<string, unknown>[];
  readonly nodeRed: readonly string[];
  readonly simulatorBefore: readonly string[];
  readonly simulatorAfter: readonly string[];
}

describe('the library, installed', function () {
  this.timeout(115_000);

  it('reads all three interfaces without Node-RED, and loads the simulator when it is started', async () => {
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: dirname(await installedModules()) });
    const { lines, nodeRed, simulatorBefore, simulatorAfter } = JSON.parse(stdout) as Printed;
    nodeRed.should.be.empty();
    simulatorBefore.should.be.empty();
    simulatorAfter.should.not.be.empty();
    should(lines.map(({ transport }) => transport)).eql(['local', 'remote', 'public']);
    should(lines[0]?.['gas']).be.a.Number();
    should(lines[1]?.['gas']).equal(lines[0]?.['gas']);
    should(lines[2]?.['zone']).equal('Europe/Lisbon');
  });

  describe('docs/library.md', () => {
    const key = 'a key of more than thirty-two characters';
    const snippets = snippetsOf(readFileSync(join(projectDir, 'docs/library.md'), 'utf8'), 'ts');
    let folder: string;
    let simulator: Simulator;
    let port: number;

    before(async () => {
      folder = join(dirname(await installedModules()), 'snippets');
      mkdirSync(folder);
      simulator = await startSimulator({ localPort: 0, remotePort: 0, udpPort: 0 });
      port = await freePort();
    });
    after(() => simulator.close());

    it('compiles as it stands, as an ES module and, its imports, as CommonJS, in strict mode', () => {
      const files = snippets.flatMap((snippet, index) => [
        write(folder, `page-${index}.mts`, snippet.code),
        write(folder, `page-${index}.cts`, importsOf(snippet.code)),
      ]);
      files.length.should.be.above(12);
      complaintsAbout(files).should.eql([]);
    });

    /** Output of each section; a section that runs forever is interrupted after it. */
    const printed: Readonly<Record<string, RegExp>> = {
      'Read a monitor': /^p1 .*\npower -?[\d.]+ W\n\d{4}-\d\d-\d\d 1[345]\d0 minutes .*\nimported [\d.]+ kWh\n$/s,
      'Ways to connect': /id: '[0-9a-f]{12}'.*smartmeter-dsmr \[.*electric_power_import.*ts: \d+.*kind: 'realtime'/s,
      'Watch a meter': /^\S+Z -?[\d.]+\n/,
      'The house as a whole': /^[\d.]+ [\d.]+ [\d.]+ -?[\d.]+\n(?:\S+:00:00\.000Z [\d.]+\n){23,25}$/,
      Errors: /^ALIAS .* false\n$/,
      'Find monitors': /^[0-9a-f]{12} 127\.0\.0\.1 null false\n$/,
      'Receive webhooks': /^zon energy_export_kwh \d+ kWh\n/,
      Formats: /^\[\{.*power_w.*\n$/s,
      'Test without a monitor': /^2026-10-25T1.*Z\nCemmError: .*\n$/,
      'Simulated households': /^\d+\.\d+\n$/,
    };

    it('is shown to work in every section that has code', () => {
      should(Object.keys(printed).sort()).eql(snippets.map(({ heading }) => heading).sort());
    });

    for (const [index, snippet] of snippets.entries()) {
      it(`runs: ${snippet.heading}`, async () => {
        const file = write(folder, `run-${index}.mjs`, onThisMachine(snippet));
        const output = await outputOf(file, snippet.heading);
        should(output).match(printed[snippet.heading] ?? /^never$/);
      });
    }

    /** Replaces the real monitor and the real service by the simulator. */
    function onThisMachine({ code }: Snippet): string {
      const host = String(simulator.local).replace('http://', '');
      return ts
        .transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 } })
        .outputText.replaceAll("{ host: '192.168.1.20'", `{ allowLoopback: true, host: '${host}'`)
        .replaceAll('{ apiKey:', `{ baseUrl: '${String(simulator.remote)}', apiKey:`)
        .replaceAll(
          'discover()',
          `discover({ broadcast: '127.0.0.1', port: ${Number(simulator.udp)}, waitMs: 500, allowLoopback: true })`,
        )
        .replaceAll('listen(1881)', `listen(${port}, '127.0.0.1')`)
        .replaceAll("day: '2026-10-25'", "day: 'previous'");
    }

    async function outputOf(file: string, heading: string): Promise<string> {
      const env = { ...process.env, CEMM_API_KEY: 'demo', CEMM_HMAC_KEY: key };
      const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      let errors = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      const ended = once(child, 'exit');
      try {
        if (heading === 'Receive webhooks') {
          const url = `http://127.0.0.1:${port}/cemm`;
          await until('the receiver', () => post({ url, key }, delivery()).catch(() => null));
        }
        if (readFileSync(file, 'utf8').includes('SIGINT')) {
          await until('output', () => output !== '' || child.exitCode !== null);
          child.kill('SIGINT');
        }
        const [code] = (await ended) as [number | null];
        should({ code, errors }).eql({ code: 0, errors: '' });
        return output;
      } finally {
        child.kill('SIGKILL');
      }
    }
  });
});

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** CommonJS has no top-level `await`, so only its imports are checked. */
function importsOf(code: string): string {
  const imports = code.split('\n').filter((line) => line.startsWith('import '));
  const names = imports.flatMap((line) => /\{ (.*) \}/.exec(line)?.[1]?.split(', ') ?? []);
  return `${imports.join('\n')}\nexport const imported = [${names.join(', ')}];\n`;
}

/** With the types of the installed package and of Node.js only. */
function complaintsAbout(files: readonly string[]): string[] {
  const compiled = ts.createProgram({
    rootNames: files,
    options: {
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
      skipLibCheck: false,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts'],
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      types: ['node'],
      typeRoots: [join(projectDir, 'node_modules/@types')],
    },
  });
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}
