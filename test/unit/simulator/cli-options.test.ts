import should from 'should';
import { helpText } from '../../../src/simulator/cli';
import { CommandLineError } from '../../../src/report/cli-options';
import { parseCommandLine } from '../../../src/simulator/cli-options';
import { houses } from '../../../src/simulator/houses';
import type { SimulatorOptions } from '../../../src/simulator/simulator';

function options(...args: string[]): SimulatorOptions {
  const command = parseCommandLine(args);
  if (command.kind !== 'run') throw new Error('asked for help');
  return command.options;
}

describe('Options of cemm-simulator', () => {
  it('leave absent options to the simulator', () => {
    const { clock, ...rest } = options('--local-port', '0');
    rest.should.eql({ localPort: 0, timezone: 'Europe/Amsterdam', faults: [] });
    should(clock?.speed).equal(1);
  });

  it('carry everything that can be said', () => {
    const said = [
      '--local-port 8080 --remote-port 8081 --udp-port 9777 --address 127.0.0.2 --timezone Europe/Brussels --speed 0',
      '--now 2026-10-25T02:30:00+01:00 --seed 7 --dsmr 4 --modbus 20 --monitors 3 --api-key k1 --promise 2500',
      '--webhook https://127.0.0.1/cemm --webhook-type public --hmac-key k2 --every 900 --count 5',
      '--fault slow --fault=no-io --header X-Key:k3 --header=X-Other:1',
    ];
    const { clock, ...rest } = options(...said.join(' ').split(' '));
    rest.should.eql({
      localPort: 8080,
      remotePort: 8081,
      udpPort: 9777,
      address: '127.0.0.2',
      timezone: 'Europe/Brussels',
      seed: 7,
      dsmr: 4,
      modbus: 20,
      monitors: 3,
      apiKey: 'k1',
      promiseMs: 2500,
      faults: ['slow', 'no-io'],
      webhook: {
        url: 'https://127.0.0.1/cemm',
        type: 'public',
        hmacKey: 'k2',
        everySeconds: 900,
        count: 5,
        headers: ['X-Key:k3', 'X-Other:1'],
      },
    });
    should(clock?.now()).equal(Date.parse('2026-10-25T01:30:00Z'));
  });

  it('choose a house, with its time zone unless another one is said', () => {
    const { house, timezone, clock } = options('--local-port=0', '--house=other-zone', '--now=2026-06-01', '--speed=0');
    should(house).equal(houses['other-zone']);
    should(timezone).equal('America/St_Johns');
    should(clock?.now()).equal(Date.parse('2026-06-01T02:30:00Z'));
    options('--local-port=0', '--house=other-zone', '--timezone=UTC').should.have.property('timezone', 'UTC');
  });

  it('read a moment without an offset on the clock of the zone', () => {
    const { clock } = options('--local-port', '0', '--now', '2026-01-01', '--timezone', 'Asia/Kolkata', '--speed', '0');
    should(clock?.now()).equal(Date.parse('2025-12-31T18:30:00Z'));
  });

  it('ask for help before anything else', () => {
    parseCommandLine(['--help', '--local-port', 'x']).should.eql({ kind: 'help' });
    parseCommandLine(['-h']).should.eql({ kind: 'help' });
  });

  it('are all in the help', () => {
    const words =
      'local-port remote-port udp-port address timezone now speed seed dsmr modbus monitors api-key promise webhook';
    for (const word of `${words} webhook-type hmac-key header every count fault`.split(' ')) {
      helpText().should.match(new RegExp(`^  --${word} `, 'm'));
    }
  });

  const wrong: readonly [string, RegExp][] = [
    ['', /^Nothing to do: give --local-port/],
    ['--seed 1', /^Nothing to do/],
    ['--local-port', /lacks its value/],
    ['--local-port 65536', /^--local-port must be a number from 0 to 65535\.$/],
    ['--local-port -1', /lacks its value; write --name=value/],
    ['--local-port 80a', /^--local-port must be a number/],
    ['--local-port 8.5', /^--local-port must be a whole number\.$/],
    ['--canary 1', /^There is no option --canary\. See cemm-simulator --help\.$/],
    ['--local-port 0 canary', /^Every value needs its option in front of it/],
    ['--local-port 0 --address canary', /^--address must be an IPv4/],
    ['--local-port 0 --timezone canary', /^--timezone must be an IANA zone/],
    ['--local-port 0 --now canary', /^--now must be a date/],
    ['--local-port 0 --now 1999-01-01', /^--now must be a date and time of 2010/],
    ['--local-port 0 --speed canary', /^--speed must be a number/],
    ['--local-port 0 --seed 1.5', /^--seed must be a whole number/],
    ['--local-port 0 --dsmr 3', /^--dsmr must be 4 or 5/],
    ['--local-port 0 --modbus 248', /^--modbus must be a number from 1 to 247/],
    ['--local-port 0 --monitors 0', /^--monitors must be a number from 1/],
    ['--local-port 0 --promise canary', /^--promise must be a number/],
    ['--local-port 0 --house canary', /^There is no house of that name: cemm-simulator --help lists them/],
    ['--local-port 0 --fault canary', /^There is no fault of that name: cemm-simulator --help lists them/],
    ['--local-port 0 --api-key=', /^--api-key must not be empty/],
    ['--local-port 0 --hmac-key canary', /^--hmac-key is about a webhook: add --webhook URL\.$/],
    ['--local-port 0 --every 60', /^--every is about a webhook/],
    ['--webhook canary', /^The address of the webhook must be a whole one/],
    ['--webhook http://127.0.0.1 --hmac-key=', /^The HMAC key of the webhook is empty/],
    ['--webhook http://127.0.0.1 --header canary', /^An extra header must be written as 'Name: value'/],
    ['--webhook http://127.0.0.1 --every 0', /^--every must be a number from 1 to 86400/],
    ['--webhook http://127.0.0.1 --count 0', /^--count must be a number from 1/],
    ['--webhook http://127.0.0.1 --webhook-type get', /^--webhook-type must be post or public/],
    ['--webhook http://127.0.0.1 --speed 0', /^A frozen clock sends no webhook by itself/],
  ];
  for (const [args, sentence] of wrong) {
    it(`refuse "${args}" in a sentence`, () => {
      let refusal: unknown;
      try {
        parseCommandLine(args.split(' ').filter((arg) => arg !== ''));
      } catch (error) {
        refusal = error;
      }
      if (!(refusal instanceof CommandLineError)) throw new Error('was not refused');
      refusal.message.should.match(sentence);
      if (!args.startsWith('--canary')) refusal.message.should.not.containEql('canary');
    });
  }

  it('do not quote values, which can be keys', () => {
    should(() => parseCommandLine(['--local-port', '0', '--hmac_key=canary'])).throw(CommandLineError, {
      message: /^(?!.*canary)/,
    });
  });

  it('accept a frozen clock together with the status page', () => {
    should(options('--webhook', 'http://127.0.0.1', '--speed', '0', '--local-port', '0').clock?.speed).equal(0);
  });
});
