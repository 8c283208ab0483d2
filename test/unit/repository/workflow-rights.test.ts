/** .github/workflows: a job that may publish runs no code of the repository or of a dependency. */
import should from 'should';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(__dirname, '../../..');
const folder = '.github/workflows';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly uses?: string;
  readonly environment?: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

const files = readdirSync(path.join(root, folder));
const workflows = files.map((file) => ({
  file,
  text: read(`${folder}/${file}`),
  workflow: parse(read(`${folder}/${file}`)) as Workflow,
}));

/** True for a job with permissions that foreign code must not have. */
function mayWrite({ permissions = {} }: Job): boolean {
  return Object.values(permissions).includes('write');
}

/** The only allowed commands of a privileged job: programs of the machine, with files from the previous job. */
const allowed = [/^npm stage publish \.\/\*\.tgz .*--ignore-scripts/, /^gh release create /];
/** Actions without code of the repository. */
const plain = /^actions\/(?:download-artifact|setup-node|deploy-pages)@/;

describe('the rights of the workflows', () => {
  for (const { file, text, workflow } of workflows) {
    describe(file, () => {
      const jobs = Object.entries(workflow.jobs);

      it('reads only, unless a job says otherwise', () => {
        workflow.permissions.should.eql({ contents: 'read' });
      });

      it('names each action by the hash of its commit, with the version beside it', () => {
        const named = [...text.matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, action = '']) => action);
        named.should.not.be.empty();
        for (const action of named) {
          if (!action.startsWith('./')) action.should.match(/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
        }
      });

      it('names an action by one hash everywhere', () => {
        const hashes = new Map<string, Set<string>>();
        for (const { text: other } of workflows) {
          for (const [, name = '', hash = ''] of other.matchAll(/uses: ([\w./-]+)@(\S+)/g)) {
            hashes.set(name, (hashes.get(name) ?? new Set()).add(hash));
          }
        }
        for (const [name, all] of hashes) all.size.should.equal(1, name);
      });

      it('installs without scripts of the packages', () => {
        for (const [command] of text.matchAll(/npm (?:ci|install)\b.*/g)) command.should.containEql('--ignore-scripts');
      });

      it('leaves no token in a checkout', () => {
        for (const step of jobs.flatMap(([, { steps = [] }]) => steps)) {
          if (step.uses?.startsWith('actions/checkout@') === true)
            should(step.with?.['persist-credentials']).be.false();
        }
      });

      for (const [name, job] of jobs.filter(([, each]) => mayWrite(each))) {
        it(`${name}: has rights, and runs nothing of the repository or its dependencies`, () => {
          should(job.uses).be.undefined();
          for (const { run, uses } of job.steps ?? []) {
            if (uses !== undefined) uses.should.match(plain);
            if (run !== undefined)
              allowed.some((pattern) => pattern.test(run) && !run.includes('\n')).should.be.true(run);
          }
        });
      }
    });
  }

  it('are needed in the release alone', () => {
    workflows
      .filter(({ workflow }) => Object.values(workflow.jobs).some(mayWrite))
      .map(({ file }) => file)
      .should.eql(['release.yml']);
  });

  it('.ci/run installs without scripts of the packages too', () => {
    should(/npm ci .*/.exec(read('.ci/run'))?.[0]).containEql('--ignore-scripts');
  });
});

describe('the release', () => {
  const { jobs } = parse(read(`${folder}/release.yml`)) as Workflow;
  const runs = (name: string): string[] =>
    (jobs[name]?.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run]));

  it('publishes only what was tested, from the tarball of a job without rights', () => {
    should(jobs['test']?.uses).equal('./.github/workflows/ci.yml');
    should(jobs['daily']?.uses).equal('./.github/workflows/daily.yml');
    should(jobs['pack']?.needs).eql(['test', 'daily', 'coverage']);
    should(jobs['pack']?.permissions).be.undefined();
    runs('pack').at(-1)?.should.equal('npm pack --ignore-scripts --pack-destination release');
    should(jobs['stage']?.needs).equal('pack');
    should(jobs['stage']?.permissions).eql({ 'id-token': 'write' });
    should(jobs['stage']?.environment).equal('npm');
    runs('stage').length.should.equal(1);
    should(runs('stage')[0]).startWith('npm stage publish ./*.tgz ');
  });

  it('waits for a maintainer, and compares what npm has with what was packed', () => {
    should(jobs['published']?.needs).equal('stage');
    should(jobs['published']?.environment).equal('published');
    should(jobs['published']?.permissions).be.undefined();
    should(runs('published')[0]).match(/openssl dgst -sha512.*\n.*npm view .* dist\.integrity/);
    for (const name of ['release', 'site']) should(jobs[name]?.needs).equal('published');
  });

  it('publishes the site too, and not with a beta', () => {
    should(jobs['site']?.if).equal("${{ !contains(github.ref_name, '-') }}");
    should(jobs['site']?.permissions).be.undefined();
    should(jobs['pages']?.needs).equal('site');
  });

  it('makes the site with npm run docs, which is neither committed nor packed', () => {
    const { scripts, files: packed } = JSON.parse(read('package.json')) as {
      scripts: { docs: string };
      files: string[];
    };
    scripts.docs.should.equal('tsx scripts/docs/faults.ts page && vitepress build site');
    runs('site').should.containEql('npm run docs');
    const [uploaded] = (jobs['site']?.steps ?? []).flatMap((step) => step.with?.['path'] ?? []);
    should(uploaded).equal('site/dist');
    packed.should.eql(['dist', 'examples', 'llms.txt']);
    read('.gitignore').should.match(/^dist\/$/m);
  });
});
