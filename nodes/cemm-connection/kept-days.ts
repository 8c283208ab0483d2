/** The past, kept in Node-RED's user folder: one store for all connections of this Node-RED. */
import { join } from 'node:path';
import type { NodeAPI } from 'node-red';
import { joinStates } from '../../src/balance/messages/join-states';
import { allLists, joinParts, splitState } from '../../src/balance/messages/state-parts';
import { readState } from '../../src/balance/messages/stored-state';
import type { CounterStore } from '../../src/balance/requests/period-reader';
import { systemClock } from '../../src/time/clock';
import { toMonitorId } from '../../src/protocol/mac';
import type { FactName } from '../../src/store/fact-name';
import { type KeepProblem, mostHouses, PastDays } from '../../src/store/past-days';
import { makePrivate } from '../../src/store/private-folder';
import type { Translate } from '../lib/run/translate';

/** Beside the flow file, and not in the folder of a project, whose history would contain it. */
const folderName = 'cemm';

const texts: Readonly<Record<KeepProblem, string>> = {
  damaged: 'log.damaged',
  not_kept: 'log.notKept',
  too_many: 'log.tooMany',
};

/** One for a process: all connections share what it has in memory of the folder. */
let kept: { readonly folder: string; readonly past: PastDays } | null = null;

/** Null without a user folder. */
export function keptDays(RED: Pick<NodeAPI, 'settings' | 'log'>, translate: Translate): PastDays | null {
  const userDir: unknown = Reflect.get(RED.settings, 'userDir');
  if (typeof userDir !== 'string' || userDir === '') return null;
  const folder = join(userDir, folderName);
  if (kept?.folder !== folder) {
    const onProblem = (problem: KeepProblem, path: string): void => {
      const text = translate(texts[problem], { path, folder, most: mostHouses });
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

const readingsName = 'local midnights';

export function keptReadings(past: PastDays): KeptReadings {
  const factOf = (house: string, start: number): FactName => ({ kind: 'readings', house, start, name: readingsName });
  return {
    load: async (monitor) => {
      const id = toMonitorId(monitor);
      if (id === null) return null;
      const months = await past.monthsOf(id);
      const states = await Promise.all(months.map((start) => past.get(factOf(id, start))));
      return joinParts(states.filter((state) => state !== undefined));
    },
    save: async (monitor, state) => {
      const [id, whole] = [toMonitorId(monitor), readState(state)];
      if (id === null || whole === null) return false;
      for (const [start, part] of splitState(whole, 'month', allLists))
        await past.keep(factOf(id, start), part, joinStates);
      return past.flush();
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
