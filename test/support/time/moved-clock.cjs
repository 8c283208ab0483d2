// Loaded into the Node-RED process under test (`--require`): its clock. A test that needs a certain day (sunshine, a change of
// the clocks) starts the process at CEMM_TEST_CLOCK; time continues from there, CEMM_TEST_CLOCK_SPEED times as fast.
// CEMM_TEST_CLOCK_SINCE (real epoch ms, default: now) is the time at which the clock showed that moment: with it, a restarted
// process continues with the time of the previous one. CEMM_TEST_TIMER_SPEED also speeds up timers and monotonic time, so a
// minute of polls takes seconds.
const { CEMM_TEST_CLOCK: shown, CEMM_TEST_CLOCK_SPEED, CEMM_TEST_CLOCK_SINCE, CEMM_TEST_TIMER_SPEED } = process.env;

if (shown) {
  const RealDate = Date;
  const start = RealDate.parse(shown);
  const speed = Number(CEMM_TEST_CLOCK_SPEED ?? 1);
  const since = Number(CEMM_TEST_CLOCK_SINCE ?? RealDate.now());
  const now = () => Math.floor(start + (RealDate.now() - since) * speed);
  globalThis.Date = class Date extends RealDate {
    constructor(...parts) {
      super(...(parts.length === 0 ? [now()] : parts));
    }
    static now() {
      return now();
    }
  };
}

const timerSpeed = Number(CEMM_TEST_TIMER_SPEED ?? 1);
if (timerSpeed !== 1) {
  const { performance } = require('node:perf_hooks');
  const { setTimeout, setInterval } = globalThis;
  const now = performance.now.bind(performance);
  performance.now = () => now() * timerSpeed;
  globalThis.setTimeout = Object.assign((run, ms, ...rest) => setTimeout(run, ms / timerSpeed, ...rest), setTimeout);
  globalThis.setInterval = Object.assign((run, ms, ...rest) => setInterval(run, ms / timerSpeed, ...rest), setInterval);
  // util.promisify(setTimeout) finds its own version under a symbol.
  const { custom } = require('node:util').promisify;
  Object.defineProperty(globalThis.setTimeout, custom, {
    value: (ms, ...rest) => setTimeout[custom](ms / timerSpeed, ...rest),
  });
}
