/** The connection of an open dialog as the check and the report use it: as typed, deployed or not. */
import type { CheckedConnection } from '../../src/diagnostics/check-target';
import { startDemo } from '../../src/library/demo';
import { loopbackAllowed } from '../lib/run/connection-node';
import { expandKey } from '../lib/stored/typed-input';
import type { FormInput } from './form-input';
import { readMac } from './settings';

/**
 * Starts the demo monitor for a connection to it, and stops it afterwards.
 * @throws {CemmError} CONFIG `mac`, `env_not_set`; NETWORK `demo_start`
 */
export async function withChecked<T>(
  { config, expand, apiKey }: FormInput,
  use: (checked: CheckedConnection) => Promise<T>,
): Promise<T> {
  const { mode } = config;
  if (mode === 'remote') {
    return use({ mode, baseUrl: expand(config.baseUrl), apiKey: expandKey(apiKey, expand) ?? '' });
  }
  if (mode !== 'demo') {
    const allowLoopback = loopbackAllowed(config.allowLoopback);
    return use({ mode, host: expand(config.host), mac: readMac(expand(config.mac)), allowLoopback });
  }
  const demo = await startDemo(config.timezone);
  try {
    await demo.ready;
    return await use({ mode: 'local', host: demo.address, mac: null, allowLoopback: true, isInProcess: true });
  } finally {
    await demo.close();
  }
}
