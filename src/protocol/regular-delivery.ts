/**
 * Reads deliveries of the documented form in one pass: nearly all are. `delivery.ts` reads the others.
 */
import {
  type DeliveredRecord,
  type DeliveryHead,
  hasOthers,
  isObject,
  namesOfBody,
  readNumberOfMonitor,
} from './delivery';
import { isReservedKey, withoutNegativeZero } from './json';
import { type Millis, secondsToMillis, toSeconds } from './time';

/** Called for every value of a delivery, in its order. */
export type ReadValue = (
  meter: string,
  channel: string,
  topic: string,
  time: Millis | null,
  value: number | null,
  reason: DeliveredRecord['reason'],
) => void;

/**
 * Reads a delivery that has the documented members, and no others, in one pass. The pass visits every member, so it also finds
 * reserved names and nesting that is too deep. Null for any other body and for more than `most` values: then readDelivery has
 * to read it, and the values that were passed to ReadValue are void.
 */
export function readRegularDelivery(
  body: unknown,
  most: number,
  readerOf: (head: DeliveryHead) => ReadValue,
): DeliveryHead | null {
  if (!isObject(body) || hasOthers(body, namesOfBody)) return null;
  const { format, cemm, time, data } = body;
  const number = isObject(cemm) ? null : readNumberOfMonitor(cemm);
  const seconds = typeof time === 'number' ? toSeconds(Math.floor(time)) : null;
  if (typeof format !== 'string' || number === null || seconds === null || !isObject(data)) return null;
  const head = { format, cemm: number, time: seconds, timeIsAbsurd: false };
  const read = readerOf(head);
  let count = 0;
  for (const meter in data) {
    const channels = data[meter];
    if (!isObject(channels) || isReservedKey(meter)) return null;
    for (const channel in channels) {
      const topics = channels[channel];
      if (!isObject(topics) || isReservedKey(channel)) return null;
      for (const topic in topics) {
        count += 1;
        if (count > most || isReservedKey(topic)) return null;
        if (!readRegularRecord(meter, channel, topic, topics[topic], read)) return null;
      }
    }
  }
  return head;
}

/** False where it is no regular record. */
function readRegularRecord(meter: string, channel: string, topic: string, record: unknown, read: ReadValue): boolean {
  if (record === null) {
    read(meter, channel, topic, null, null, 'absent');
    return true;
  }
  if (!isObject(record)) return false;
  for (const name in record) if (name !== 'time' && name !== 'value') return false;
  const { time, value } = record;
  const seconds = toSeconds(time);
  if (seconds !== null && typeof value === 'number' && Number.isFinite(value)) {
    read(meter, channel, topic, secondsToMillis(seconds), withoutNegativeZero(value), null);
  } else if (seconds !== null && value === null)
    read(meter, channel, topic, secondsToMillis(seconds), null, 'no_value');
  else if (time === 0 && value === 0) read(meter, channel, topic, null, null, 'no_timestamp');
  else return false;
  return true;
}
