/** For mocha (`--require`): the package is packed and installed once for all lanes, which find it by CEMM_INSTALLED_MODULES. */
import { installedModules } from '../node-red/installed-package';

export async function mochaGlobalSetup(): Promise<void> {
  process.env['CEMM_INSTALLED_MODULES'] = await installedModules();
}
