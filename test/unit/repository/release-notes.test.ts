import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import should from 'should';

const script = path.resolve(__dirname, '../../../scripts/release/release-notes.mjs');

describe('the release notes', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'cemm-release-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(version: string, changelog: string): void {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version }));
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
  }

  const env = () => ({ ...process.env, CEMM_RELEASE_ROOT: folder });

  function notes(...args: string[]): string {
    return execFileSync(process.execPath, [script, ...args], { env: env(), encoding: 'utf8' });
  }

  function failure(tag: string): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, tag], { env: env(), encoding: 'utf8' });
    should({ status, stdout }).eql({ status: 1, stdout: '' });
    return stderr;
  }

  const changelog = '# Changelog\n\n## 1.2.0 – 2026-12-01\n\n- New.\n- Newer.\n\n## 1.1.0 – 2026-11-01\n\n- Old.\n';

  it('are the section of the tag and nothing else', () => {
    write('1.2.0', changelog);
    notes('v1.2.0').should.equal('- New.\n- Newer.\n');
  });

  it('go to the dist-tag `next` before a release', () => {
    write('1.2.0', changelog);
    notes('--dist-tag', 'v1.2.0').should.equal('latest\n');
    write('1.2.0-beta.1', changelog.replace('1.2.0', '1.2.0-beta.1'));
    notes('--dist-tag', 'v1.2.0-beta.1').should.equal('next\n');
  });

  const refusals: [string, string, string, RegExp][] = [
    ['of another version', 'v1.1.0', changelog, /package\.json has the version 1\.2\.0/],
    ['without a section', 'v1.2.0', '# Changelog\n', /no section 1\.2\.0/],
    ['that is unreleased', 'v1.2.0', '## 1.2.0 – unreleased\n\n- New.\n', /unreleased/],
    ['with an empty section', 'v1.2.0', '## 1.2.0 – 2026-12-01\n\n## 1.1.0\n', /empty/],
  ];
  for (const [what, tag, text, message] of refusals) {
    it(`rejects a tag ${what}`, () => {
      write('1.2.0', text);
      failure(tag).should.match(message);
    });
  }
});
