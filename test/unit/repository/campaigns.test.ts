/** scripts/campaign.ts: every campaign is in its table, and wherever one is named, it is there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';
import { campaigns } from '../../../scripts/campaign';

const root = path.resolve(__dirname, '../../..');
const script = ['--require', 'tsx/cjs', path.join(root, 'scripts/campaign.ts')];
const names = Object.keys(campaigns);
const commands = Object.values(campaigns).flatMap((campaign) => campaign.commands);
/** With what the settings of Mocha in them name. */
const texts = commands.flatMap((command) => [command, ...(command.match(/\S+\.mocharc\.cjs/g) ?? []).map(read)]);

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

describe('the campaigns', function () {
  this.timeout(60_000);

  it('run files that exist', () => {
    const files = commands.flatMap((command) => command.match(/\b(?:test|scripts)\/\S+/g) ?? []);
    files.length.should.be.aboveOrEqual(names.length);
    for (const file of files) existsSync(path.join(root, file.replace(/\/\*.*/, ''))).should.be.true(file);
  });

  it('are all in the table', () => {
    for (const folder of readdirSync(path.join(root, 'test/campaigns'))) {
      should(texts.some((text) => new RegExp(`test/campaigns/${folder}\\b`).test(text))).be.true(folder);
    }
  });

  it('are listed without a name, one line each', () => {
    const listed = execFileSync(process.execPath, script, { cwd: root, encoding: 'utf8' });
    const lines = listed.split('\n').filter((line) => line.startsWith('  '));
    lines.map((line) => /^ {2}(\S+) {2,}\S/.exec(line)?.[1]).should.eql(names);
  });

  it('are listed where the name is unknown, with exit code 2', () => {
    const { status, stderr } = spawnSync(process.execPath, [...script, 'soka'], { cwd: root, encoding: 'utf8' });
    should(status).equal(2);
    should(stderr).startWith('There is no campaign soka:').and.containEql('  soak ');
  });

  it('are all explained in CONTRIBUTING.md', () => {
    const page = read('CONTRIBUTING.md');
    for (const name of names) page.should.containEql(`npm run campaign -- ${name}`);
  });

  it('and scripts are named as they are called', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const texts = ['*.md', '*.ts', '*.mjs', '*.cjs', '*.yml', '.ci/*', 'package.json', ':!CHANGELOG.md'];
    const files = execFileSync('git', ['ls-files', ...texts], { cwd: root, encoding: 'utf8' })
      .trim()
      .split('\n');
    const unknown = files.flatMap((file) =>
      [...read(file).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)(?: -- ([a-z][\w-]*))?/g)]
        .filter(([, name = '', campaign]) => {
          if (!(name in scripts)) return true;
          return name === 'campaign' && campaign !== undefined && !(campaign in campaigns);
        })
        .map(([named]) => `${file}: ${named}`),
    );
    unknown.should.eql([]);
  });
});
