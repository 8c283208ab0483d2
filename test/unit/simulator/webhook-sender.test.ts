import { createHmac } from 'node:crypto';
import net from 'node:net';
import should from 'should';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import type { FaultName } from '../../../src/simulator/faults';
import type { WebhookOptions } from '../../../src/simulator/simulator';
import { createHousehold } from '../../../src/simulator/household';
import { buildDelivery, type DeliveryBody } from '../../../src/simulator/webhook-payload';
import { startWebhookSender, type WebhookSender, type WebhookSenderParts } from '../../../src/simulator/webhook-sender';
import { checkWebhook } from '../../../src/simulator/webhook-call';
import { millis, millisToSeconds } from '../../../src/time/units';
import { startReceiver, type Received, type Receiver } from '../../support/simulator/receiver';
import { until } from '../../support/until';
import { listenOnLoopback } from '../../support/network/loopback';

const start = millis(Date.parse('2026-06-01T10:07:40Z'));
const household = createHousehold({ now: start, since: millis(start - 86_400_000) });
const none = new Set<FaultName>();
const frozen = createSimulatedClock({ start, speed: 0 });

interface Sent {
  readonly time: number;
}

function timeOf({ body }: Received): number {
  return (JSON.parse(body.toString('utf8')) as Sent).time;
}

function volumes(body: Buffer): { reading: number; day: number } {
  const { data } = JSON.parse(body.toString('utf8')) as DeliveryBody;
  const volume = data['water']?.['volume'];
  return { reading: volume?.reading?.value ?? NaN, day: volume?.['this/day']?.value ?? NaN };
}

describe('Webhook sender', () => {
  const opened: (WebhookSender | Receiver)[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
    const one = await startReceiver(...args);
    opened.push(one);
    return one;
  }

  function sender(options: WebhookOptions, parts: Partial<WebhookSenderParts> = {}): WebhookSender {
    const one = startWebhookSender({
      settings: checkWebhook(options),
      household,
      cemm: 24_000_293,
      clock: frozen,
      faults: none,
      ...parts,
    });
    opened.push(one);
    return one;
  }

  /** A clock that a test sets; `speed` only determines the sender's checks. */
  function settableClock(speed = 60_000) {
    let now = start;
    return { speed, now: () => now, set: (moment: number) => (now = millis(moment)) };
  }

  describe('a delivery', () => {
    it('is a POST of basic-v1 with the length and type of its body', async () => {
      const { url, received } = await receiver();
      await sender({ url: `${url}/cemm?api_key=k1`, topics: ['realtime', 'last/minute'] }).sendNow();
      const [one] = received;
      should(one?.method).equal('POST');
      should(one?.path).equal('/cemm?api_key=k1');
      should(one?.headers['content-type']).equal('application/json');
      should(Number(one?.headers['content-length'])).equal(one?.body.length);
      should(JSON.parse(String(one?.body))).eql(
        buildDelivery(household, 24_000_293, start, ['realtime', 'last/minute']),
      );
    });

    it('is signed over exactly the bytes that arrive', async () => {
      const { url, received } = await receiver();
      await sender({ url, hmacKey: 'geheim' }).sendNow();
      const [one] = received;
      if (!one) throw new Error('nothing arrived');
      should(one.headers['x-signature']).equal(createHmac('sha512', 'geheim').update(one.body).digest('hex'));
    });

    it('has no signature without a key', async () => {
      const { url, received } = await receiver();
      await sender({ url }).sendNow();
      should(received[0]?.headers).not.have.property('x-signature');
    });

    it('carries extra headers, trimmed, which may replace the content type', async () => {
      const { url, received } = await receiver();
      await sender({ url, headers: ['x-api-key:  k2 ', 'Content-Type: text/plain'] }).sendNow();
      should(received[0]?.headers['x-api-key']).equal('k2');
      should(received[0]?.headers['content-type']).equal('text/plain');
    });

    it('is the result of the public API for type public', async () => {
      const { url, received } = await receiver();
      const request = '/api/v1/public/timeseries?channels=water:volume&include=cemm&resolution=day&count=2';
      await sender({ url, type: 'public', publicRequest: request }).sendNow();
      const { data } = JSON.parse(String(received[0]?.body)) as { data: [number, number][] };
      data.map(([time]) => time).should.eql([1_780_178_400, 1_780_264_800]);
    });

    it('is the list of meters where that is asked for', async () => {
      const { url, received } = await receiver();
      await sender({ url, type: 'public', publicRequest: '/api/v1/public/meters' }).sendNow();
      const { meters } = JSON.parse(String(received[0]?.body)) as { meters: { key: string }[] };
      meters.map(({ key }) => key).should.containEql('smartmeter-dsmr');
    });

    it('has the series of each channel under its name, or a meter with a reserved name, where a fault says so', async () => {
      const { url, received } = await receiver();
      const request =
        '/api/v1/public/timeseries?channels=water:volume,zon:electric_energy_export&resolution=day&count=2';
      const faults = new Set(['series-by-channel', 'reserved-name'] as const);
      await sender({ url, type: 'public', publicRequest: request }, { faults }).sendNow();
      await sender({ url }, { faults }).sendNow();
      const [series, delivery] = received.map(({ body }) => JSON.parse(body.toString()) as { data: object });
      should(Object.keys(series?.data ?? {})).eql(['__proto__', 'water:volume', 'zon:electric_energy_export']);
      should(Object.keys(delivery?.data ?? {})[0]).equal('__proto__');
    });

    it('tells the time that the monitor believes', async () => {
      const { url, received } = await receiver();
      await sender({ url }, { faults: new Set(['clock-off'] as const) }).sendNow();
      received.map(timeOf).should.eql([start / 1000 - 7200]);
    });

    it('lacks the past minute where the monitor has no entry of it', async () => {
      const { url, received } = await receiver();
      const clock = settableClock(0);
      const { sendNow } = sender(
        { url, topics: ['last/minute'] },
        { clock, faults: new Set(['missing-minutes'] as const) },
      );
      for (let minute = 0; minute < 130; minute += 1) {
        clock.set(start + minute * 60_000);
        await sendNow();
      }
      const missing = received.filter(({ body }) => body.toString().includes('"voltage":{"last/minute":null}'));
      missing.length.should.be.within(1, 30);
      missing.forEach(({ body }) => body.toString().should.not.containEql('"volume":{"last/minute":null}'));
    });

    it('shows registers that stand still since midnight, and those that began again at noon', async () => {
      const { url, received } = await receiver();
      const faults = new Set<FaultName>();
      const clock = settableClock(0);
      clock.set(Date.parse('2026-06-01T14:00:00Z'));
      const { sendNow } = sender({ url, topics: ['reading', 'this/day'] }, { clock, faults });
      await sendNow();
      faults.add('stuck-register');
      await sendNow();
      faults.clear();
      faults.add('meter-reset');
      await sendNow();
      const [sound, stuck, reset] = received.map(({ body }) => volumes(body));
      const day = sound?.day ?? 0;
      day.should.be.above(0);
      should(stuck?.reading).be.approximately((sound?.reading ?? 0) - day, 1e-5);
      should(stuck?.day).equal(0);
      should(reset?.reading).be.within(0, day);
      should(reset?.day).equal(day);
    });
  });

  describe('slots', () => {
    it('are aligned to the wall clock, not to the start', async () => {
      const { url, received } = await receiver();
      const { done } = sender({ url, count: 3 }, { clock: createSimulatedClock({ start, speed: 600 }) });
      await done;
      const first = millisToSeconds(millis(Date.parse('2026-06-01T10:08:00Z')));
      const times = received.map(timeOf);
      times.map((time) => (time - first) % 60).should.eql([0, 0, 0]);
      times.should.eql([...new Set(times)].sort((a, b) => a - b));
      should(times[0]).be.aboveOrEqual(first);
    });

    it('wait for the clock: nothing is sent a second before, one when it is reached', async () => {
      const { url, received } = await receiver();
      const clock = settableClock();
      const { deliveries } = sender({ url, everySeconds: 900 }, { clock });
      clock.set(Date.parse('2026-06-01T10:14:59Z'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      received.length.should.equal(0);
      clock.set(Date.parse('2026-06-01T10:15:00Z'));
      await until('a delivery', () => deliveries.length === 1);
      received.map(timeOf).should.eql([Date.parse('2026-06-01T10:15:00Z') / 1000]);
    });

    it('that were slept through are not made up for', async () => {
      const { url, received } = await receiver();
      const clock = settableClock();
      const { deliveries } = sender({ url, everySeconds: 3600 }, { clock });
      clock.set(Date.parse('2026-06-08T10:00:00Z'));
      await until('a delivery', () => deliveries.length === 1);
      clock.set(Date.parse('2026-06-08T11:00:00Z'));
      await until('a delivery', () => deliveries.length === 2);
      received
        .map(timeOf)
        .should.eql([Date.parse('2026-06-01T11:00:00Z') / 1000, Date.parse('2026-06-08T11:00:00Z') / 1000]);
    });

    it('never come on a frozen clock, while a manual run still sends', async () => {
      const { url, received } = await receiver();
      const { sendNow, done } = sender({ url, everySeconds: 1, count: 1 });
      let over = false;
      void done.then(() => (over = true));
      await sendNow();
      received.map(timeOf).should.eql([start / 1000]);
      over.should.be.false();
    });
  });

  describe('statuses', () => {
    it('are the last five, newest first', async () => {
      let count = 0;
      const { url } = await receiver((response) => response.writeHead(200 + count++).end());
      const { sendNow, deliveries } = sender({ url });
      for (let index = 0; index < 7; index += 1) await sendNow();
      deliveries.map(({ status }) => status).should.eql([206, 205, 204, 203, 202]);
    });

    it('keep the raw request, without the signature', async () => {
      const { url, received } = await receiver();
      const { sendNow, deliveries } = sender({ url: `${url}/cemm`, hmacKey: 'k', topics: ['reading'] });
      await sendNow();
      const signature = String(received[0]?.headers['x-signature']);
      const request = deliveries[0]?.request ?? '';
      request.should.startWith('POST /cemm HTTP/1.1\r\nHost: 127.0.0.1:');
      request.should.endWith(`\r\n\r\n${String(received[0]?.body)}`);
      request.should.containEql(`X-Signature: ${signature.slice(0, 8)}…\r\n`);
      request.should.not.containEql(signature.slice(0, 9));
      should(deliveries[0]?.time).equal('2026-06-01T10:07:40.000Z');
    });

    it('keep the first 1000 characters of the answer, not bytes', async () => {
      const { url } = await receiver((response) => response.writeHead(500).end('é'.repeat(3000)));
      const status = await sender({ url }).sendNow();
      status.should.have.properties({ status: 500, response: 'é'.repeat(1000), error: null });
    });

    it('do not follow a redirect', async () => {
      const redirected = await receiver();
      const { url } = await receiver((response) => response.writeHead(307, { Location: redirected.url }).end());
      const status = await sender({ url }).sendNow();
      should(status.status).equal(307);
      redirected.received.length.should.equal(0);
    });

    it('say that the connection was refused', async () => {
      const { url, close } = await startReceiver();
      await close();
      const status = await sender({ url }).sendNow();
      status.should.have.properties({ status: null, response: null, error: 'connection refused' });
    });

    it('say that the connection broke', async () => {
      const server = net.createServer((socket) => socket.once('data', () => socket.destroy()));
      const port = await listenOnLoopback(server);
      const status = await sender({ url: `http://127.0.0.1:${port}` }).sendNow();
      server.close();
      should(status.status).be.null();
      should(status.error).equal('the connection was closed before the answer was complete');
    });

    it('say that no answer came in time', async () => {
      const { url } = await receiver(() => undefined);
      const status = await sender({ url }, { limitMs: 100 }).sendNow();
      status.should.have.properties({
        status: null,
        response: null,
        error: 'no complete answer within 0.1 seconds',
      });
    });

    it('count an answer that never ends as late, and keep what came', async () => {
      const { url } = await receiver((response) => response.writeHead(200).write('begun'));
      const status = await sender({ url }, { limitMs: 2000 }).sendNow();
      status.should.have.properties({
        status: 200,
        response: 'begun',
        error: 'no complete answer within 2 seconds',
      });
    });

    it('give a receiver five seconds', async function () {
      this.timeout(30_000);
      const { url } = await receiver(() => undefined);
      const began = performance.now();
      const status = await sender({ url }).sendNow();
      (performance.now() - began).should.be.above(4900);
      should(status.error).equal('no complete answer within 5 seconds');
    });
  });

  it('logs each delivery without its address, headers and body', async () => {
    const { url } = await receiver();
    const lines: object[] = [];
    const canary = 'canary4711';
    const options = { url: `${url}/?api_key=${canary}`, hmacKey: canary, headers: [`X-Key: ${canary}`] };
    await sender(options, { log: (line) => lines.push(line) }).sendNow();
    lines.length.should.equal(1);
    should(lines[0]).have.properties({ delivery: '2026-06-01T10:07:40.000Z', status: 200, error: null });
    JSON.stringify(lines).should.not.containEql(canary);
  });

  it('ends a call in flight when it is closed', async () => {
    const { url, received } = await receiver(() => undefined);
    const { sendNow, close, done } = sender({ url });
    const pending = sendNow();
    await until('a request', () => received.length === 1);
    await close();
    await done;
    should((await pending).error).equal('the monitor was switched off');
  });

  describe('settings', () => {
    const url = 'http://127.0.0.1/cemm';
    const refused: readonly [string, WebhookOptions, RegExp][] = [
      ['no URL', { url: 'cemm' }, /must be a whole one/],
      ['another protocol', { url: 'ftp://127.0.0.1/' }, /must be a whole one/],
      ['a password in the URL', { url: 'http://u:canary@127.0.0.1/' }, /must not carry a name or password/],
      ['an empty key', { url, hmacKey: '' }, /HMAC key of the webhook is empty/],
      ['an interval of 0', { url, everySeconds: 0 }, /1 to 86400 whole seconds/],
      ['an interval over a day', { url, everySeconds: 86_401 }, /1 to 86400 whole seconds/],
      ['a count of 0', { url, count: 0 }, /whole number from 1/],
      ['a header without colon', { url, headers: ['canary'] }, /'Name: value'/],
      ['a header with a line break', { url, headers: ['X: a\r\ncanary'] }, /'Name: value'/],
      ['a header of the transport', { url, headers: ['content-length: 3'] }, /leave it out/],
      ['an unknown topic', { url, topics: ['canary'] }, /one of: realtime, reading/],
      ['an unknown public path', { url, type: 'public', publicRequest: '/canary' }, /The path must be/],
    ];
    for (const [what, options, sentence] of refused) {
      it(`refuse ${what} in a sentence`, () => {
        let refusal: unknown;
        try {
          checkWebhook(options);
        } catch (error) {
          refusal = error;
        }
        should(refusal).be.instanceOf(RangeError);
        String(refusal).should.match(sentence);
        String(refusal).should.not.containEql('canary');
      });
    }
  });
});
