/** Check of the lists of meters of a balance. */
import { isAlias, isKey } from '../../src/checks/limits';
import { batteryName, hasPulses } from '../../src/model/meter-names';
import type { FieldCheck } from '../lib/editor/checks';
import { namesIn } from './config';

export const meters: FieldCheck = (list) => {
  const wrong = namesIn(list).find((name) => !isAlias(name) && !isKey(name));
  return wrong === undefined ? true : { key: 'check.meters', values: { meter: wrong } };
};

export const battery: FieldCheck = (list) => {
  const names = namesIn(list).map(batteryName);
  const pulsed = names.find(hasPulses);
  return pulsed === undefined ? meters(names.join()) : { key: 'check.battery', values: { meter: pulsed } };
};
