/** The check of the runtime dependencies, with a fake `npm`. */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import should from 'should';

const project = join(__dirname, '../../..');

async function pinned(): Promise<Map<string, readonly number[]>> {
  const text = await readFile(join(project, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  return new Map(Object.entries(dependencies).map(([name, version]) => [name, version.split('.').map(Number)]));
}

/** @param program body of a shell script; `$2` is the requested name */
async function check(program: string): Promise<{ readonly code: number | null; readonly text: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'cemm-freshness-'));
  try {
    const npm = join(folder, 'npm');
    await writeFile(npm, `#!/bin/sh\n${program}\n`);
    await chmod(npm, 0o755);
    const env = { ...process.env, PATH: [folder, process.env['PATH'] ?? ''].join(delimiter), CEMM_TEST_SUMMARY: '' };
    const child = spawn(process.execPath, [join(project, 'scripts/release/check-freshness.mjs')], { env });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, text };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the check of runtime dependencies', () => {
  /** A registry whose newest releases differ by this from the installed ones. */
  async function registry(move: (major: number, minor: number) => readonly [number, number]): Promise<string> {
    const cases = [...(await pinned())].map(([name, [major = 0, minor = 0]]) => {
      const [newMajor, newMinor] = move(major, minor);
      return `${name}) echo '"${newMajor}.${newMinor}.9"';;`;
    });
    return `case "$2" in ${cases.join(' ')} esac`;
  }

  it('passes where all are the newest or one minor version behind', async () => {
    for (const ahead of [0, 1]) {
      const { code, text } = await check(await registry((major, minor) => [major, minor + ahead]));
      should(code).equal(0);
      text.should.match(/^\d+ passed, 0 failed$/m);
    }
  });

  it('fails where one is more than that behind, and names it', async () => {
    const minor = await check(await registry((major, own) => [major, own + 2]));
    const major = await check(await registry((own) => [own + 1, 0]));
    for (const { code, text } of [minor, major]) {
      should(code).equal(1);
      for (const name of (await pinned()).keys()) text.should.containEql(`freshness: ${name} `);
    }
  });

  it('fails with the reason where the registry cannot be asked', async () => {
    const { code, text } = await check('echo "npm error ENOTFOUND" >&2; exit 1');
    should(code).equal(1);
    text.should.containEql('cannot be asked about axios: npm error ENOTFOUND');
    const empty = await check('echo \'""\'');
    should(empty.code).equal(1);
  });
});
