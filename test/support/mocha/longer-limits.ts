/** Applies the patience of tests to the limit of every test and hook. */
import { Runnable } from 'mocha';
import { patience } from '../patience';

const ownTimeout: unknown = Reflect.get(Runnable.prototype, 'timeout');
if (typeof ownTimeout !== 'function') throw new Error('This mocha sets the limit of a test in another way.');

// A test or hook takes the limit of its suite through this method, once.
Reflect.set(Runnable.prototype, 'timeout', function (this: Runnable, ...limit: unknown[]): unknown {
  const [ms] = limit;
  const answer: unknown = Reflect.apply(ownTimeout, this, typeof ms === 'number' ? [ms * patience] : limit);
  return answer;
});
