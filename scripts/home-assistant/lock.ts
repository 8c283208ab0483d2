/**
 * Writes the lock files anew, after a change of a version in chroots.ts: `sudo npx tsx scripts/home-assistant/lock.ts`. What Home
 * Assistant needs is computed by requirements.py from its manifests, within its own constraints.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, type Chroot, chroots, environments, inFolder, lockFile } from './chroots';
import { debian, environment, missing, runInChroot } from './prepare';

/** Clients of the registries, in an environment of their own. */
const clients = ['cemm==0.5.1', 'python-homewizard-energy==10.2.0'];

async function lock(chroot: Chroot): Promise<void> {
  const { python, homeAssistant, suite } = chroot;
  const folder = await mkdtemp(join(cacheFolder(), `lock-${suite}-`));
  const log = join(cacheFolder(), `lock-${suite}.log`);
  await debian(chroot, folder, log);
  await copyFile(join(__dirname, 'requirements.py'), join(folder, 'tmp', 'requirements.py'));
  await environment(chroot, folder, 'clients', clients, log);
  await environment(chroot, folder, 'home-assistant', [`homeassistant==${homeAssistant}`], log);
  const packages = `/opt/home-assistant/lib/python${python}/site-packages`;
  const list = '/opt/home-assistant/bin/python /tmp/requirements.py > /tmp/requirements.txt';
  await runInChroot(inFolder(folder, ['sh', '-c', list]), log);
  const within = ['-r', '/tmp/requirements.txt', '-c', `${packages}/homeassistant/package_constraints.txt`];
  await environment(chroot, folder, 'home-assistant', within, log);
  for (const name of environments) {
    await runInChroot(inFolder(folder, ['sh', '-c', `/opt/${name}/bin/python -m pip freeze > /tmp/lock.txt`]), log);
    await writeFile(lockFile(name, chroot), await readFile(join(folder, 'tmp', 'lock.txt')));
  }
  await rm(folder, { recursive: true, force: true });
}

async function lockAll(): Promise<void> {
  const reason = missing();
  if (reason !== null) throw new Error(reason);
  await mkdir(cacheFolder(), { recursive: true });
  await Promise.all(chroots.map(lock));
}

void lockAll();
