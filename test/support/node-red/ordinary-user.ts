/** A process without the rights of root, for which every folder is writable, every file readable and every port free. */

const rights = ['dac_override', 'dac_read_search', 'fowner', 'net_bind_service'].map((right) => `-${right}`).join(',');

/** The same command for anybody but root. It stays the same process, so signals and channels reach it. */
export function asOrdinaryUser(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  return ['setpriv', `--bounding-set=${rights}`, `--inh-caps=${rights}`, ...command];
}
