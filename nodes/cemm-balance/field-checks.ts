/** Check of the lists of meters of a balance. */
import { isAlias, isKey } from '../../src/checks/limits';
import { batteryName, hasPulses } from '../../src/model/meter-names';
import type { FieldCheck } from '../lib/editor/checks';
import { splitMeterList } from './config';

export const meters: FieldCheck = (list) => {
  const wrong = splitMeterList(list).find((name) => !isAlias(name) && !isKey(name));
  return wrong === undefined ? true : { key: 'check.meters', values: { meter: wrong } };
};

export const battery: FieldCheck = (list) => {
  const names = splitMeterList(list).map(batteryName);
  const pulsed = names.find(hasPulses);
  return pulsed === undefined ? meters(names.join()) : { key: 'check.battery', values: { meter: pulsed } };
};
