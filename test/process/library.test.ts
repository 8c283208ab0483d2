/** The library alone in another program: the installed package without Node-RED. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
      mkdirSync(join(folder, 'node_modules'));
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
      'Read a monitor':
        /^[a-z][\w-]* .*\npower -?[\d.]+ W\n\d{4}-\d\d-\d\d 1[345]\d0 minutes .*\nimported [\d.]+ kWh\n$/s,
      'A range of days or months': /^(?:\d{4}-\d\d \d\d? days\n){2,}$/,
      'Ways to connect': /id: '[0-9a-f]{12}'.*smartmeter-dsmr \[.*electric_power_import.*ts: \d+.*kind: 'realtime'/s,
      'Watch a meter': /^\S+Z -?[\d.]+\n/,
      'The house as a whole': /^[\d.]+ [\d.]+ [\d.]+ -?[\d.]+\n(?:\S+:00:00\.000Z [\d.]+\n){23,25}$/,
      'A bill': /^(?:\d+ of \d+ requests\n)+-?[\d.]+ -?[\d.]+ [\d.]+ \[\s+\{ kwh: 5, .* 1 \{.*\}\n$/s,
      Errors: /^ALIAS .* false\n$/,
      'Find monitors': /^[0-9a-f]{12} 127\.0\.0\.1 null false\n$/,
      'Receive webhooks': /^zon energy_export_kwh \d+ kWh\n/,
      'Many installations': /^200\nhouse-1 \{"p1":\{"power_w":412\}\}\n$|^house-1 .*\n200\n$/,
      Formats: /^\w+ \{.*"power_w":.*\n$/s,
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

    const recipes = snippetsOf(readFileSync(join(projectDir, 'docs/library.md'), 'utf8'), 'mjs');
    const frameworks = [
      { name: 'Express 5', imported: 'express', installed: 'express-5' },
      { name: 'Express 4', imported: 'express', installed: 'express' },
      { name: 'Fastify 5', imported: 'fastify', installed: 'fastify' },
    ];

    it('has a recipe for each framework that is tried', () => {
      should(
        new Set(frameworks.map(({ imported }) => recipes.findIndex(({ code }) => code.includes(`'${imported}'`)))).size,
      ).equal(recipes.length);
    });

    for (const { name, imported, installed } of frameworks) {
      it(`receives with ${name}, beside a route that reads JSON`, async () => {
        const link = join(folder, 'node_modules', imported);
        rmSync(link, { force: true });
        symlinkSync(join(projectDir, 'node_modules', installed), link);
        const recipe = recipes.find(({ code }) => code.includes(`'${imported}'`))?.code ?? '';
        const code = recipe
          .replace('listen(1881)', `listen(${port}, '127.0.0.1')`)
          .replace('{ port: 1881 }', `{ port: ${port}, host: '127.0.0.1' }`);
        code.should.not.equal(recipe);
        const file = write(folder, `${installed}.mjs`, code);
        const env = { ...process.env, CEMM_HMAC_KEY: key };
        const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
        try {
          let output = '';
          child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
          const url = `http://127.0.0.1:${port}/cemm`;
          const first = await until('the receiver', () => post({ url, key }, delivery()).catch(() => null));
          should(first.status).equal(200);
          should((await post({ url, key: 'another key' }, delivery())).status).equal(401);
          await until('the delivery', () => output !== '');
          should(output).match(/^energy_export_kwh \d+\n$/);
          const other = await fetch(url.replace('/cemm', '/other'), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"a":1}',
          });
          should(await other.json()).eql({ a: 1 });
        } finally {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        }
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
        .replaceAll('127.0.0.1:1881', `127.0.0.1:${port}`)
        .replaceAll("day: '2026-10-25'", "day: 'previous'")
        .replaceAll("from: '2026-10'", "from: 'previous'")
        .replace("from: '2025-07-01'", `from: '${daysAgo(3)}'`)
        .replace("to: '2026-06-30'", `to: '${daysAgo(2)}'`)
        .replace('/var/lib/energy', join(folder, 'kept'));
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

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** CommonJS has no top-level `await`, so only its imports are checked. */
function importsOf(code: string): string {
  const imports = code.split('\n').filter((line) => line.startsWith('import '));
  const names = imports
    .flatMap((line) => /\{ (.*) \}/.exec(line)?.[1]?.split(', ') ?? [])
    .filter((name) => !name.startsWith('type '));
  return `${imports.join('\n')}\nexport const imported = [${names.join(', ')}];\n`;
}

/** With the types of the installed package and of Node.js only. */
function complaintsAbout(files: readonly string[]): string[] {
  const compiled = ts.createProgram({
    rootNames: files,
    options: {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
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
