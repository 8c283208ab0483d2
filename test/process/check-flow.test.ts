/** The command cemm-check-flow from the installed package. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import should from 'should';
import { installedModules, projectDir } from '../support/node-red/installed-package';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('cemm-check-flow, installed', function () {
  this.timeout(120_000);
  let folder = '';
  let modules = '';
  let command = '';
  const examples = readdirSync(path.join(projectDir, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => path.join(projectDir, 'examples', file));

  before(async () => {
    modules = await installedModules();
    const folderOfPackage = path.join(modules, 'node-red-contrib-cemm');
    const { bin } = JSON.parse(readFileSync(path.join(folderOfPackage, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
    };
    command = path.join(folderOfPackage, bin['cemm-check-flow'] ?? '');
    folder = mkdtempSync(path.join(tmpdir(), 'cemm-check-flow-'));
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function run(...args: string[]): Promise<Run> {
    return new Promise((resolve) => {
      execFile(command, args, (error, out, err) => {
        resolve({ code: typeof error?.code === 'string' ? -1 : (error?.code ?? 0), out, err });
      });
    });
  }

  function broken(): string {
    const file = path.join(folder, 'broken.json');
    const text = readFileSync(path.join(projectDir, 'examples/solar-surplus.json'), 'utf8');
    writeFileSync(file, text.replace('"role": "auto"', '"role": "gird"').replace('"interval"', '"intervall"'));
    return file;
  }

  it('finds nothing in any example', async () => {
    const { code, out, err } = await run(...examples);
    should({ code, err }).eql({ code: 0, err: '' });
    out.should.match(/^No mistake found: \d{2,} nodes of CEMM checked, .* in \d{3,} entries\.\n$/);
    should(await run('--json', ...examples)).eql({ code: 0, out: '[]\n', err: '' });
  });

  it('ends with 2 where the file holds no nodes, or something that is none', async () => {
    const file = path.join(folder, 'odd.json');
    for (const [text, sentence] of [
      ['[]', /is empty/],
      ['[{"id":"a","type":"tab"},7]', /Entry 2 of the list is not a node/],
    ] as const) {
      writeFileSync(file, text);
      const { code, out, err } = await run(file);
      should({ code, out }).eql({ code: 2, out: '' });
      err.should.match(sentence);
    }
  });

  it('LC20: names the field and what to write instead, and ends with 1', async () => {
    const { code, out, err } = await run(broken());
    err.should.equal('');
    code.should.equal(1);
    out.should.match(/cemm-realtime “grid”: there is no property “intervall”. Write “interval”\./);
    out.should.match(/“role” is no choice. Write “grid”/);
  });

  it('prints a list for programs', async () => {
    const { code, out } = await run('--json', broken());
    code.should.equal(1);
    const findings = JSON.parse(out) as { problem: string; field: string; instead: string }[];
    findings
      .map(({ problem, field, instead }) => [problem, field, instead])
      .should.containEql(['wrong_value', 'role', 'grid']);
  });

  it('says in a sentence of the dialog why a value is wrong', async () => {
    const file = path.join(folder, 'alias.json');
    const text = readFileSync(path.join(projectDir, 'examples/solar-surplus.json'), 'utf8');
    writeFileSync(file, text.replace('"alias": "p1"', '"alias": "p 1"'));
    const { out } = await run(file);
    out.should.match(/“alias”: [A-Z].*\bp1\b/);
  });

  it('prints no control character of a file, as text and as JSON', async () => {
    // Clears the screen, sets the title of the window, ends the line, and does the same for 8-bit terminals.
    const hostile = '\u001b[2J\u001b]0;owned\u0007\r\nok\u007f\u009b31m\u202e';
    const nodes = [
      { id: hostile, type: `cemm-${hostile}`, name: hostile, z: 'flow', wires: [] },
      { id: 'flow', type: 'tab', label: hostile },
    ];
    const file = path.join(folder, 'hostile\u001b[2J.json');
    writeFileSync(file, JSON.stringify(nodes));
    const plain = await run(file, file);
    plain.code.should.equal(1);
    plain.out.should.containEql('there is no node type “cemm-\\x1b[2J');
    plain.out.trimEnd().split('\n').should.have.length(2);
    const json = await run('--json', file);
    const [finding] = JSON.parse(json.out) as { name: string }[];
    should(finding?.name).equal(hostile);
    const gone = await run(path.join(folder, 'gone\u001b[2J.json'));
    gone.err.should.match(/gone\\x1b/);
    for (const text of [plain.out, json.out, gone.err]) {
      should(text.replaceAll('\n', '')).not.match(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });

  it('ends with 2 where there is nothing to check', async () => {
    const file = path.join(folder, 'none.json');
    writeFileSync(file, '{');
    (await run(file)).code.should.equal(2);
    const gone = await run(path.join(folder, 'gone.json'));
    gone.code.should.equal(2);
    (await run()).should.containEql({ code: 2 });
    (await run('--help')).code.should.equal(0);
  });

  it('comes with the schemas of the nodes, and the page for language models', () => {
    const load = createRequire(path.join(modules, 'program.js'));
    should(load('node-red-contrib-cemm/schemas/nodes/cemm-realtime.json')).have.property('title', 'cemm-realtime');
    readFileSync(path.join(modules, 'node-red-contrib-cemm/llms.txt'), 'utf8').should.startWith(
      '# For language models',
    );
  });
});
