import should from 'should';
import type { Role } from '../../../src/model/payload';
import { roleOf } from '../../../src/model/identity';

describe('roleOf', () => {
  const cases: readonly (readonly [string, string | null, Role | null])[] = [
    ['p1', 'p1', 'grid'],
    ['p1-usb', null, 'grid'],
    ['emucs', 'p1', 'grid'],
    ['emucs-usb', null, 'grid'],
    ['han', null, 'grid'],
    ['dlms-usb', null, 'grid'],
    ['p1-gas', 'gas', 'gas'],
    ['emucs-gas', 'gas', 'gas'],
    ['p1-gas', null, 'gas'],
    ['gas', null, 'gas'],
    ['usage', null, 'consumption'],
    ['s01', 'solar_energy', 'production'],
    ['mb5', 'solar_energy', 'production'],
    ['mb5', 'Solar_Energy ', 'production'],
    ['pulse-1', 'water', 'water'],
    ['pulse-2', 'gas', 'gas'],
    ['s02', 'p1', 'grid'],
    ['s03', 'energy_usage', 'consumption'],
    ['water', null, 'water'],
    // Unknown roles are not guessed.
    ['s01', null, null],
    ['s02', 'electricity', null],
    ['mb12', 'something_new', null],
    ['pulse-3', null, null],
    ['p12', null, null],
    ['vegas', null, null],
    ['', '', null],
  ];
  for (const [alias, type, role] of cases) {
    it(`${alias || '(blank)'} of type ${String(type)} is ${String(role)}`, () => {
      should(roleOf(alias, type)).equal(role);
    });
  }
});
