/** Rounds of polling leave a monitor alone that another shard polls; a message is served whatever its monitor. */
import type { Installation } from '../../src/installation/installation';
import type { Job, Runner } from './runner';
import { stateStatus } from './status-table';

/** True, with a status that tells the shard, where this job is a round of polling that is not ours. */
export async function isElsewhere(
  { msg, signal }: Pick<Job, 'msg' | 'signal'>,
  installation: Pick<Installation, 'polledElsewhere'>,
  monitor: string | null,
  runner: Pick<Runner, 'say' | 'status'>,
): Promise<boolean> {
  if (msg !== null) return false;
  const shard = await installation.polledElsewhere(monitor, { signal, patience: 'poll' });
  if (shard === null) return false;
  runner.status(stateStatus('elsewhere', runner.say, { shard }));
  return true;
}
