// Loaded into the Node-RED of a soak (`--require`): writes the delay of its event loop, in ms, to delays.jsonl every five seconds.
const { appendFile } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const resolution = 10;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
setInterval(() => {
  const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution);
  const line = { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) };
  delay.reset();
  appendFile('delays.jsonl', `${JSON.stringify(line)}\n`, () => undefined);
}, 5000).unref();
