import should from 'should';
import { parseReportCommand } from '../../../src/report/cli-options';

describe('parseReportCommand', () => {
  it('reads a monitor in the network', () => {
    const command = parseReportCommand(['--host', '192.168.1.20', '--generation', '3', '--output', 'r.json'], {});
    should(command).eql({
      target: { mode: 'public', host: '192.168.1.20', mac: null, allowLoopback: false },
      timezone: 'Europe/Amsterdam',
      withDays: false,
      output: 'r.json',
    });
  });

  it('listens for deliveries in place of a connection', () => {
    const command = parseReportCommand(['--listen', '8081', '--output', 'r.json'], {});
    should(command).match({ target: { mode: 'webhook', port: 8081, address: '0.0.0.0' } });
  });

  it('takes the API key from the environment only', () => {
    const args = ['--base-url', 'https://open-api.cemm.nl/v1/', '--output', '-', '--days'];
    should(parseReportCommand(args, { CEMM_API_KEY: 'abc' })).match({ target: { apiKey: 'abc' }, withDays: true });
    should(() => parseReportCommand(args, {})).throw(/CEMM_API_KEY/);
  });

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no connection', ['--output', 'f'], /one of --host/],
    ['two connections', ['--host', 'a', '--base-url', 'b', '--output', 'f'], /one of --host/],
    ['a port that there is not', ['--listen', '70000', '--output', 'f'], /--listen/],
    ['no file', ['--host', 'a'], /--output FILE/],
    ['an unknown option', ['--hots', 'a'], /--help/],
    ['another generation', ['--host', 'a', '--generation', '4', '--output', 'f'], /2 or 3/],
    ['a wrong MAC address', ['--host', 'a', '--mac', 'x', '--output', 'f'], /--mac/],
    ['an unknown zone', ['--host', 'a', '--timezone', 'Mars', '--output', 'f'], /--timezone/],
  ];
  for (const [title, args, message] of refused) {
    it(`refuses ${title}`, () => {
      should(() => parseReportCommand(args, {})).throw(message);
    });
  }

  it('asks for help', () => {
    should(parseReportCommand(['--help'], {})).equal('help');
  });
});
