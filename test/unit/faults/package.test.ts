/** Faults of the package and its host (test/faults.json) that no other test covers. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import should from 'should';
import { periodsBetween, periodFromLabel } from '../../../src/calendar/periods';
import { divideIntoSlots } from '../../../src/calendar/slots';

const root = resolve(__dirname, '../../..');
const read = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>;

describe('package faults', () => {
  it('CL12: ships the build, the examples and the page for language models only', () => {
    const { files, scripts } = read('package.json') as { files: string[]; scripts: Record<string, string> };
    should(files).eql(['dist', 'examples', 'llms.txt']);
    // No code runs on the user's machine at installation.
    for (const hook of ['preinstall', 'install', 'postinstall']) should(scripts[hook]).be.undefined();
  });

  it('CL13: pins every dependency to an exact version and a hash', () => {
    const manifest = read('package.json') as Record<'dependencies' | 'devDependencies', Record<string, string>>;
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      should(version).match(/^(?:npm:[a-z]+@)?\d+\.\d+\.\d+$/, name);
    }
    const { packages } = read('package-lock.json') as { packages: Record<string, Record<string, unknown>> };
    const fetched = Object.entries(packages).filter(([path, { link }]) => path !== '' && link !== true);
    should(fetched.length).be.above(100);
    for (const [path, { integrity, inBundle }] of fetched) {
      if (inBundle !== true) should(integrity).match(/^sha512-/, path);
    }
    // Code of a dependency runs at installation only if necessary, and never for users.
    const atInstall = fetched.filter(([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true);
    should(atInstall.map(([path]) => path)).be.empty();
  });

  it('TD3: returns the same days in any time zone of the host', () => {
    const days = (): unknown =>
      periodsBetween(
        'day',
        'Europe/Amsterdam',
        periodFromLabel('2026-10-23', 'Europe/Amsterdam').start,
        periodFromLabel('2026-10-27', 'Europe/Amsterdam').start,
      ).map((period) => [
        period.label,
        period.start,
        period.end,
        divideIntoSlots(period, 'PT1M').expectedBy(period.end),
      ]);
    const before = process.env['TZ'];
    const seen = new Set<string>();
    const offsets = new Set<number>();
    try {
      for (const zone of ['UTC', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Apia', 'Europe/Amsterdam']) {
        process.env['TZ'] = zone;
        offsets.add(new Date(2026, 0, 1).getTimezoneOffset());
        seen.add(JSON.stringify(days()));
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
    // The host was in different zones.
    should(offsets.size).equal(5);
    should(seen.size).equal(1);
    should([...seen][0]).containEql('1500');
  });
});
