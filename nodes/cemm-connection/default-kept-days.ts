import type { NodeAPI } from 'node-red';
import type { PastDays } from '../../src/store/past-days';
import { connectionType } from '../lib/run/connection-node';
import { createTranslate } from '../lib/run/translate';
import { keptDays } from './kept-days';

/** The store for nodes without a connection: its problems are reported in Node-RED's language. Null without a user folder. */
export function defaultKeptDays(RED: NodeAPI): PastDays | null {
  return keptDays(RED, createTranslate(RED, { type: connectionType, language: () => '' }));
}
