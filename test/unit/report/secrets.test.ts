/** Nothing personal is in a report: a marked secret in every field of every answer, looked for in every encoding. */
import should from 'should';
import type { Http, HttpOutcome } from '../../../src/clients/http';
import type { CheckedConnection } from '../../../src/diagnostics/check-target';
import { millis } from '../../../src/time/units';
import { ReplayClock } from '../../../src/report/replay-clock';
import { makeReport, reportOfDeliveries } from '../../../src/report/report';
import { fileOf } from '../../../src/report/report-file';
import { seededRandom } from '../../../src/simulator/seeded-random';

const letters = 'bcdfghjkqvwxz';

const scripts = [
  'бвгджзклмн',
  'βγδζθλξπφψ',
  '가나다라마바사아자차',
  'בגדהוזחטכל',
  '\u{1d44e}\u{1d44f}\u{1d450}\u{1d451}',
];

/** Characters of the shortest form. */
const shortest = 8;

/** Secrets that can be recognized in any encoding. */
class MarkedSecrets {
  private drawn = 0;
  private readonly plain: string[] = [];
  private readonly macs: string[] = [];

  constructor(private readonly seed: number) {}

  get count(): number {
    return this.plain.length + this.macs.length;
  }

  random(): number {
    this.drawn += 1;
    return seededRandom(this.seed, 900, this.drawn);
  }

  /** Letters and digits in both cases, with a space and an umlaut now and then. */
  text(): string {
    const between = ['', ' ', 'ü', '-', '"', '/'][this.below(6)] ?? '';
    return this.markSecret(`${this.word()}${between}${this.word()}`);
  }

  /** A text that may be a part of a path. */
  alias(): string {
    return this.markSecret(`${this.word()}${this.word()}`.toLowerCase());
  }

  digits(length: number): string {
    return this.markSecret(Array.from({ length }, () => 1 + this.below(9)).join(''));
  }

  number(): number {
    return Number(this.digits(9));
  }

  /** A reading of eight digits, and a fraction that stays. */
  reading(): number {
    const whole = this.digits(8);
    return Number(`${whole}.5`);
  }

  /** Less than 100, as a coordinate: its digits are found whatever is added before the point. */
  decimal(): number {
    const decimals = this.digits(12);
    return Number(`${10 + this.below(90)}.${decimals}`);
  }

  /** A name in the letters of another script. */
  otherScript(): string {
    const script = scripts[this.below(scripts.length)] ?? 'жщ';
    return this.markSecret(Array.from({ length: 9 }, () => Array.from(script)[this.below(script.length)]).join(''));
  }

  hex(): string {
    return this.markSecret(this.hexDigits(64));
  }

  ip(): string {
    return this.markSecret(`10.${100 + this.below(150)}.${100 + this.below(150)}.${100 + this.below(150)}`);
  }

  mac(): string {
    const digits = `d8${this.hexDigits(10)}`;
    this.macs.push(digits);
    return digits.replace(/..(?=.)/g, '$&:').toUpperCase();
  }

  /** The secrets that are in the text. */
  foundIn(text: string): string[] {
    const lower = text.toLowerCase();
    // Most forms are not found, which their beginning shows at once.
    const beginnings = new Set<string>();
    for (let at = 0; at + shortest <= lower.length; at += 1) beginnings.add(lower.slice(at, at + shortest));
    const found = (form: string): boolean => beginnings.has(form.slice(0, shortest)) && lower.includes(form);
    return [
      ...this.plain.filter((secret) => encodings(secret).some((form) => found(form.toLowerCase()))),
      ...this.macs.filter((mac) =>
        formsOf(mac).some((form) => found(form) || encodings(form).some((one) => found(one.toLowerCase()))),
      ),
    ];
  }

  private word(): string {
    const word = Array.from({ length: 5 }, () => letters[this.below(letters.length)] ?? 'q').join('');
    return `${word.slice(0, 2).toUpperCase()}${word.slice(2)}${10 + this.below(90)}`;
  }

  private hexDigits(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private markSecret(secret: string): string {
    this.plain.push(secret);
    return secret;
  }
}

function formsOf(mac: string): string[] {
  const reversed = Array.from(mac).reverse().join('');
  const pairs = mac.match(/../g) ?? [];
  const backwards = [...pairs].reverse();
  return [
    mac,
    reversed,
    ...[':', '-', '.', ' ', ''].flatMap((separator) => [pairs.join(separator), backwards.join(separator)]),
  ];
}

/** Base64 depends on the place of a text, so its middle is looked for at all three places. */
function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return shifted.slice(offset === 0 ? 0 : 4, shifted.length - 4);
  });
  const escaped = secret
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  return [
    ...[secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), escaped, bytes.toString('hex')],
    ...base64.filter((text) => text.length >= 8),
  ];
}

/** `npm run campaign -- reports` takes 1,000. */
const monitors = process.env['CEMM_CAMPAIGN'] === '1' ? 1000 : 40;
const now = Date.parse('2026-06-15T17:00:20Z');

type Answers = Readonly<Record<string, unknown>>;

/** Fields that no interface documents. */
function unknownFields(secrets: MarkedSecrets): Answers {
  return {
    owner: secrets.text(),
    serial: secrets.digits(10),
    installation: secrets.number(),
    remark: `a ${secrets.text()} b`,
    home: { street: secrets.text(), list: [secrets.text(), secrets.number()], [secrets.text()]: 1 },
    url: `https://${secrets.text()}.example/?api_key=${secrets.text()}`,
    wifi: secrets.mac(),
    address: secrets.ip(),
    mail: `${secrets.text()}@${secrets.text()}.nl`,
    token: secrets.hex(),
    when: secrets.digits(12),
    // Shapes that look like something which may stay.
    description: `meter ${secrets.otherScript()}`,
    label: `gas\u{1f3e0}${secrets.otherScript()}`,
    changed_at: `2026-05-01 by ${secrets.text()}`,
    seen: `2026-05-01T12:00:00 ${secrets.otherScript()}`,
    connection: { version: secrets.ip(), firmware: secrets.ip() },
    volume: [0, secrets.decimal(), secrets.decimal()],
    flow: [now / 1000, secrets.decimal(), secrets.decimal()],
    meter: { data: { power: [[now, secrets.decimal()]], electric_power: [now, secrets.decimal()] } },
    number: Number(`15${secrets.digits(11)}`),
    level: 1 + Math.floor(secrets.random() * 999),
    note: `meter ${100 + Math.floor(secrets.random() * 900)}`,
  };
}

const reading = (secrets: MarkedSecrets): readonly [number, number] => [now - 5000, secrets.reading()];
const days = [0, 1, 2, 3].map((day) => now - 20_000 - day * 86_400_000).reverse();

function meterAnswers(secrets: MarkedSecrets, path: string): Answers {
  const channel = secrets.text();
  if (path.includes('/data/')) {
    const first = secrets.reading();
    const readings = days.map((day, index) => [day, first + index]);
    return {
      io_id: secrets.digits(8),
      time: now,
      data: {
        electric_energy: [[now, 1.5]],
        volume: readings,
        [channel]: readings,
        pressure: days.map((day) => [day, secrets.decimal()]),
        gas: [...readings, ['', null]],
        flow: [
          [now, 1.5],
          [0, secrets.decimal()],
        ],
      },
      ...unknownFields(secrets),
    };
  }
  return {
    io_id: secrets.number(),
    time: now,
    data: {
      t1: reading(secrets),
      t2: reading(secrets),
      electric_power: [now, -350],
      [channel]: reading(secrets),
      gas: [0, secrets.decimal(), secrets.decimal()],
      switch: [0, 1, secrets.decimal()],
      flow: [now, 1.5, secrets.decimal()],
      pressure: [now, secrets.decimal()],
    },
    totals: { t1: reading(secrets), volume: reading(secrets) },
    ...unknownFields(secrets),
  };
}

/** Every answer of a monitor, with a secret in every field that can hold one. */
function answersOf(secrets: MarkedSecrets): (path: string) => unknown {
  const mac = secrets.mac();
  const aliases = [secrets.alias(), secrets.alias()];
  const list = aliases.map((alias) => ({
    io_id: secrets.number(),
    port: secrets.number(),
    type: secrets.text(),
    alias,
    port_option: secrets.text(),
    full_id: secrets.number(),
    ...unknownFields(secrets),
  }));
  const channel = () => ({
    id: secrets.number(),
    key: secrets.alias(),
    label: secrets.text(),
    unit: secrets.text(),
    aggregation_method: secrets.text(),
    ...unknownFields(secrets),
  });
  const meter = () => ({
    id: secrets.number(),
    key: secrets.alias(),
    label: secrets.text(),
    type: secrets.text(),
    role: secrets.text(),
    channels: [channel(), channel()],
    ...unknownFields(secrets),
  });
  const meters = [meter(), meter()];
  const common = { name: secrets.text(), type: secrets.text(), version: secrets.text(), core: secrets.text() };
  return (path) => {
    if (path === 'open-api/v1/') return { data: { mac, ...common, ...unknownFields(secrets) } };
    if (path === 'cemm/') return { data: [{ uid: mac.replaceAll(':', '-'), ...common, ...unknownFields(secrets) }] };
    if (path.endsWith('/io') || path.endsWith('/io/')) return { data: list };
    if (path.endsWith('public/cemm'))
      return {
        id: secrets.number(),
        mac,
        local_ip: secrets.ip(),
        timezone: secrets.text(),
        time: now / 1000,
        modules: [secrets.text()],
        currency: secrets.text(),
        ...common,
        ...unknownFields(secrets),
      };
    if (path.endsWith('public/meters')) return { meters };
    if (path.includes('/timeseries')) return { data: days.map((day) => [day / 1000, 12.5]), ...unknownFields(secrets) };
    return meterAnswers(secrets, path);
  };
}

function httpOf(answers: (path: string) => unknown): Http {
  return {
    get({ path }) {
      const body = Buffer.from(JSON.stringify(answers(path.split('?', 1)[0] ?? '')));
      const outcome: HttpOutcome = { kind: 'answer', status: 200, body, sent: 1 };
      return Promise.resolve(outcome);
    },
    close: () => undefined,
  };
}

function targetOf(index: number, secrets: MarkedSecrets): CheckedConnection {
  if (index % 3 === 0)
    return { mode: 'remote', baseUrl: `https://${secrets.alias()}.example/v1/`, apiKey: secrets.text() };
  const mode = index % 3 === 1 ? 'local' : 'public';
  return { mode, host: `${secrets.alias()}.lan`, mac: null, allowLoopback: false };
}

async function reportWith(index: number, secrets: MarkedSecrets): Promise<string> {
  const common = { timezone: 'Europe/Amsterdam', version: '0.0.0', clock: new ReplayClock(millis(now)) };
  const random = () => secrets.random();
  const signal = new AbortController().signal;
  const http = httpOf(answersOf(secrets));
  const report = await makeReport(targetOf(index, secrets), {
    ...common,
    random,
    signal,
    http,
    withDays: index % 2 === 0,
  });
  const deliveries = await reportOfDeliveries([deliveryOf(secrets)], { ...common, random });
  report.exchanges.length.should.be.above(3);
  deliveries.deliveries.should.have.length(1);
  return fileOf(report) + fileOf(deliveries);
}

function deliveryOf(secrets: MarkedSecrets) {
  const record = { time: now / 1000, value: secrets.reading() };
  const body = {
    format: 'basic-v1',
    cemm: secrets.number(),
    time: now / 1000,
    data: {
      [secrets.alias()]: {
        electric_energy_import: { reading: record, [secrets.alias()]: { time: now / 1000, value: secrets.decimal() } },
        [secrets.alias()]: { reading: record, average: { time: now / 1000, value: secrets.decimal() } },
        volume: {
          reading: { ...record, note: secrets.text(), level: secrets.decimal() },
          day: { time: 0, value: secrets.decimal() },
        },
      },
    },
    ...unknownFields(secrets),
  };
  return {
    at: now,
    headers: {
      'x-signature': secrets.hex(),
      'user-agent': secrets.text(),
      [secrets.text()]: secrets.text(),
      host: secrets.text(),
      'x-api-key': secrets.text(),
      'x-forwarded-for': secrets.ip(),
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** Numbers that came with a known word, and may not stay: stand-ins have more digits. */
function smallNumbersIn(file: string): string[] {
  return file.match(/"level": \d{1,3}\b|"note": "meter \d+"/g) ?? [];
}

describe('secrets in reports', function () {
  this.timeout(120_000);

  it('has none of the marked secrets, in any encoding', async () => {
    let looked = 0;
    for (let index = 0; index < monitors; index += 1) {
      const secrets = new MarkedSecrets(index);
      const file = await reportWith(index, secrets);
      should(secrets.foundIn(file)).eql([], `report ${index}`);
      smallNumbersIn(file).should.eql([], `report ${index}`);
      looked += secrets.count;
    }
    looked.should.be.above(300 * monitors);
  });

  it('keeps nothing of an API key that is a known word', async () => {
    const http = httpOf(answersOf(new MarkedSecrets(1)));
    const target = { mode: 'remote', baseUrl: 'https://service.example/v1/', apiKey: 'solar' } as const;
    const echoing: Http = {
      ...http,
      get: () =>
        Promise.resolve({ kind: 'answer', status: 200, body: Buffer.from('{"data":[],"type":"solar"}'), sent: 1 }),
    };
    const report = await makeReport(target, {
      timezone: 'Europe/Amsterdam',
      version: '0.0.0',
      clock: new ReplayClock(millis(now)),
      random: () => 0.5,
      signal: new AbortController().signal,
      http: echoing,
      withDays: false,
    });
    fileOf(report).should.not.match(/solar/);
  });
});
