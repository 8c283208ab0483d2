/** The deliveries of a report: head and body as they came, replaced, and what this package makes of them. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { contextOfPath, type DeliveryArrival, deliveryId, DeliveryNormalizer } from '../model/delivery';
import { readDelivery } from '../protocol/delivery';
import { parseUnchecked, removeReservedKeys } from '../protocol/json';
import { millis } from '../time/units';
import { sign } from '../webhook/signature';

/** A delivery as it was received. */
export interface ReceivedDelivery {
  /** Unix ms. */
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

export interface ReportedDelivery {
  readonly at: number;
  /** Name → what is known of the value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Size of the body that was received. */
  readonly bytes: number;
  readonly body: unknown;
  /** Signature of the body in this report, with the demo key. */
  readonly signature: string;
  readonly made: unknown;
}

/** A delivery that came, and is not in the report. */
export interface LeftOut {
  /** Its number in the order of arrival, from 1. */
  readonly delivery: number;
  readonly reason: string;
}

/** Signs the deliveries of reports. Anybody may know it. */
export const demoKey = 'cemm-report-demo-key-of-32-characters';

const knownHeaders: ReadonlySet<string> = new Set(
  `accept accept-encoding connection content-encoding content-length content-type host transfer-encoding user-agent x-signature
  x-api-key date`.split(/\s+/),
);
/** Values that say nothing about the sender. */
const knownValues = /^(?:application\/json(?:; ?charset=utf-8)?|chunked|keep-alive|close|gzip|identity|\*\/\*)$/i;

/**
 * The body of a delivery.
 * @throws {ProtocolError} it is not JSON, or nested too deeply
 */
export function bodyOf({ body }: ReceivedDelivery): unknown {
  const parsed = parseUnchecked(body);
  removeReservedKeys(parsed);
  return parsed;
}

const secretHeaders: readonly string[] = ['x-api-key', 'authorization', 'x-signature'];

/** Keys in the head, which the body could repeat. */
export function secretsOf({ headers }: ReceivedDelivery): string[] {
  return secretHeaders.flatMap((name) => headers[name] ?? []);
}

/** Names and values that may identify the sender are left out. */
export function headersOf({ headers }: ReceivedDelivery): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => {
    const text = String(value);
    return [knownHeaders.has(name) ? name : 'other', knownValues.test(text) ? text : '…'] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * @param body replaced
 * @throws {ProtocolError} the body is neither an object nor a list
 */
export function deliveryIn(
  at: number,
  { headers, bytes }: Pick<ReportedDelivery, 'headers' | 'bytes'>,
  body: unknown,
  timezone: string,
): ReportedDelivery {
  const sent = Buffer.from(JSON.stringify(body));
  return { at, headers, bytes, body, signature: sign(demoKey, sent), made: madeOf(sent, at, timezone) };
}

function madeOf(sent: Buffer, at: number, timezone: string): unknown {
  const context = contextOfPath('/cemm', timezone);
  const delivery = readDelivery(parseUnchecked(sent));
  const digest = createHash('sha256').update(sent).digest('hex');
  const arrival: DeliveryArrival = {
    at: millis(at),
    latencyMs: 0,
    bytes: sent.byteLength,
    id: deliveryId(delivery, context, millis(at), digest),
    verified: ['hmac'],
    keyUsed: 'current',
    replayCheck: 'none',
  };
  return new DeliveryNormalizer().payload(delivery, context, arrival);
}
