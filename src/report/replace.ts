/** Replaces everything personal in recorded exchanges and deliveries. */
import { Counters } from './counters';
import type { Exchange } from './recording';
import { Replacer, type ReplacerOptions, unchanged } from './replacer';
import { type Origin, ofDelivery, findAnswerOrigin } from './known-fields';
import { Walk } from './walk';

interface Replacement {
  readonly exchanges: readonly Exchange[];
  /** Null for one that cannot be replaced. */
  readonly deliveries: readonly unknown[];
  /** Kind → number of different originals. */
  readonly replaced: Readonly<Record<string, number>>;
}

interface ReplaceOptions extends ReplacerOptions {
  /** 0 inclusive to 1 exclusive. */
  readonly random: () => number;
}

const keptQueries: ReadonlySet<string> = new Set(['resolution', 'count', 'include']);

/** @param deliveries parsed bodies */
export function replace(
  exchanges: readonly Exchange[],
  deliveries: readonly unknown[],
  options: ReplaceOptions,
): Replacement {
  const replacer = new Replacer(options);
  const counters = new Counters(options.random);
  const learn = (json: unknown, origin: Origin): void => {
    const walk = new Walk(unchanged, origin, (place, values) => {
      counters.add(place, values);
      return (value) => value;
    });
    walk.run(json);
  };
  const replaceIn = (json: unknown, origin: Origin): unknown =>
    new Walk(replacer, origin, (place, values) => counters.shift(place, values)).run(json);

  for (const exchange of exchanges)
    if ('json' in exchange.answer) learn(exchange.answer.json, findAnswerOrigin(exchange));
  for (const body of deliveries)
    attempt(() => {
      learn(body, ofDelivery);
    });
  const result = {
    exchanges: exchanges.map((exchange) => replacedExchange(exchange, replacer, replaceIn)),
    deliveries: deliveries.map((body) => attempt(() => replaceIn(body, ofDelivery))),
  };
  return { ...result, replaced: { ...Object.fromEntries(replacer.standIns.replaced), reading: counters.shifted } };
}

/** Deliveries were sent by anybody, so one must not take the others with it. */
function attempt<Result>(run: () => Result): Result | null {
  try {
    return run();
  } catch {
    return null;
  }
}

function replacedExchange(
  exchange: Exchange,
  replacer: Replacer,
  replaced: (json: unknown, origin: Origin) => unknown,
): Exchange {
  const { path, query, at, ms, answer } = exchange;
  const segments = path.split('/').map((segment) => (segment === '' ? '' : replacer.memberName(segment, true)));
  return {
    path: segments.join('/'),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, parameter(name, value, replacer)])),
    at: replacer.number(at, { name: 'time', isKnown: true }),
    ms,
    answer: 'json' in answer ? { ...answer, json: replaced(answer.json, findAnswerOrigin(exchange)) } : answer,
  };
}

function parameter(name: string, value: string, replacer: Replacer): string {
  if (name === 'channels')
    return value
      .split(':')
      .map((key) => replacer.memberName(key, true))
      .join(':');
  return keptQueries.has(name) ? value : replacer.text(value, { name, isKnown: true });
}
