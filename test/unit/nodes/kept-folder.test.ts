/** The folder of kept days that a backup brought back. */
import should from 'should';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeAPI } from 'node-red';
import { keptDays } from '../../../nodes/cemm-connection/kept-days';
import { makePrivate } from '../../../src/store/private-folder';
import { until } from '../../support/until';

describe('the folder of kept days', () => {
  let userDir: string;
  beforeEach(async () => {
    userDir = await mkdtemp(join(tmpdir(), 'cemm-kept-'));
  });
  afterEach(() => rm(userDir, { recursive: true, force: true }));

  const rightsOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('is closed to others at the start', async () => {
    const folder = join(userDir, 'cemm');
    await mkdir(folder);
    await chmod(folder, 0o755);
    const RED = { settings: { userDir }, log: { warn: should.fail } } as unknown as NodeAPI;
    should(keptDays(RED, () => null)).not.be.null();
    await until('its rights', async () => (await rightsOf(folder)) === 0o700);
    (await rightsOf(userDir)).should.equal(0o700);
  });

  it('may be missing, and a file of its name stays as it is', async () => {
    await makePrivate(join(userDir, 'none'));
    const file = join(userDir, 'cemm');
    await writeFile(file, '', { mode: 0o644 });
    await makePrivate(file);
    (await rightsOf(file)).should.equal(0o644);
  });
});
