/** Size of the download, and of the installation with every dependency. */
import { installedModules, tarballBytes } from '../test/support/node-red/installed-package';
import { bytesIn } from '../test/support/node-red/folder-size';
import { rounded, type Table } from './support/table';

export async function pack(): Promise<Table> {
  const [tarball, installed] = [await tarballBytes(), await bytesIn(await installedModules())];
  return {
    name: 'pack',
    rows: [{ 'tarball kB': rounded(tarball / 1000, 1), 'installed MB': rounded(installed / 1e6, 1) }],
    goals: [{ what: 'MB installed with dependencies', value: installed / 1e6, limit: 9 }],
  };
}
