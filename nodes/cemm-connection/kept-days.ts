/** The days that are kept in Node-RED's user folder: one room for all connections of this Node-RED. */
import { join } from 'node:path';
import type { NodeAPI } from 'node-red';
import { joinStates } from '../../src/balance/messages/join-states';
import type { CounterStore } from '../../src/balance/requests/period-reader';
import { systemClock } from '../../src/clock';
import { toMonitorId } from '../../src/protocol/mac';
import { type KeepProblem, PastDays } from '../../src/store/past-days';
import { makePrivate } from '../../src/store/private-folder';
import type { Translate } from '../lib/translate';

/** Beside the flow file, and not in the folder of a project, whose history would contain it. */
const folderName = 'cemm';

let kept: { readonly folder: string; readonly past: PastDays } | null = null;

/** Null without a user folder. */
export function keptDays(RED: Pick<NodeAPI, 'settings' | 'log'>, translate: Translate): PastDays | null {
  const userDir: unknown = Reflect.get(RED.settings, 'userDir');
  if (typeof userDir !== 'string' || userDir === '') return null;
  const folder = join(userDir, folderName);
  if (kept?.folder !== folder) {
    const onProblem = (problem: KeepProblem, path: string): void => {
      const text = translate(problem === 'damaged' ? 'log.damaged' : 'log.notKept', { path, folder });
      RED.log.warn(text ?? `Past days: ${problem} (${path})`);
    };
    void makePrivate(folder);
    kept = { folder, past: new PastDays({ folder, clock: systemClock, onProblem }) };
  }
  return kept.past;
}

/** The readings of midnights of a monitor at home. */
export interface KeptReadings {
  load(monitor: string): Promise<unknown>;
  /** @returns false if they cannot be written */
  save(monitor: string, state: object): Promise<boolean>;
}

const readingsName = 'readings';

export function keptReadings(past: PastDays): KeptReadings {
  return {
    load: async (monitor) => {
      const id = toMonitorId(monitor);
      return id === null ? null : past.load(id, readingsName);
    },
    save: async (monitor, state) => {
      const id = toMonitorId(monitor);
      return id !== null && (await past.save(id, readingsName, state, joinStates));
    },
  };
}

/** Reads the context of the node while the folder has nothing, and writes it where the folder is not writable. */
export function withContext(readings: KeptReadings | null, context: CounterStore): CounterStore {
  if (readings === null) return context;
  return {
    load: async (monitor) => (await readings.load(monitor)) ?? context.load(monitor),
    save: async (monitor, state) => {
      if (!(await readings.save(monitor, state))) await context.save(monitor, state);
    },
  };
}
