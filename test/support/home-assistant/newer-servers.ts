/**
 * Programs of newer suites of Debian, for tests that start them by name: Prometheus 3, VictoriaMetrics, PostgreSQL 17 with TimescaleDB,
 * and a Python that has the client `cemm`. Each is a small script that runs it in the folder of its suite.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Chroot, chroots, folderOf, inFolder, quoted } from '../../../scripts/home-assistant/chroots';

/** PostgreSQL refuses to run as root, and must own the folder in which it is started. */
const asPostgres = 'chown postgres . && exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"';
const postgres = (name: string): string[] => ['sh', '-c', asPostgres, `/usr/lib/postgresql/17/bin/${name}`];

const programs: Readonly<Record<string, { readonly suite: Chroot['suite']; readonly command: readonly string[] }>> = {
  prometheus: { suite: 'forky', command: ['/usr/bin/prometheus'] },
  promtool: { suite: 'forky', command: ['/usr/bin/promtool'] },
  'victoria-metrics': { suite: 'forky', command: ['/usr/bin/victoria-metrics'] },
  'python-with-cemm': { suite: 'forky', command: ['/opt/clients/bin/python'] },
  initdb: { suite: 'trixie', command: postgres('initdb') },
  postgres: { suite: 'trixie', command: [...postgres('postgres'), '-c', 'shared_preload_libraries=timescaledb'] },
};

/** From now on this process finds the newer programs first. */
export function useNewerServers(): void {
  const folder = mkdtempSync(join(tmpdir(), 'cemm-newer-servers-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, { suite, command }] of Object.entries(programs)) {
    const chroot = chroots.find((one) => one.suite === suite);
    const root = chroot === undefined ? '' : folderOf(chroot);
    if (!existsSync(root)) throw new Error(`${root} is missing: npm run test:home-assistant -- --prepare makes it`);
    // PostgreSQL reads its libraries as another user.
    chmodSync(root, 0o755);
    writeFileSync(join(folder, name), script(root, command), { mode: 0o755 });
  }
  process.env['PATH'] = [folder, process.env['PATH']].join(delimiter);
  process.env['CEMM_NEWER_POSTGRES'] = folder;
}

/** Temporary folders have the same names inside; the working directory is kept where it is one of them. */
function script(root: string, command: readonly string[]): string {
  const inWorkingDirectory = ['sh', '-c', 'cd "$0" 2>/dev/null; exec "$@"'];
  const { program, args } = inFolder(root, inWorkingDirectory);
  const temporary = `mkdir -p ${root}${tmpdir()} && mount --bind ${tmpdir()} ${root}${tmpdir()} && exec "$@"`;
  const outer = ['unshare', '--mount', 'sh', '-c', temporary, 'sh', program, ...args].map(quoted);
  return `#!/bin/sh\nexec ${outer.join(' ')} "$PWD" ${command.map(quoted).join(' ')} "$@"\n`;
}
