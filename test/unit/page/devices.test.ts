/** The list of where the power went: devices, those behind them, and the rest. */
import should from 'should';
import { deviceCards } from '../../../nodes/cemm-page/page/draw/devices';
import { balanceWith, sheetAt } from '../../support/page/sheet';

function device(meter: string, energy_kwh: number, within?: string) {
  return { meter, name: meter, energy_kwh, coverage: 1, ...(within !== undefined && { within }) };
}

describe('where the power went', () => {
  it('has a device behind a device behind a device below these, indented', () => {
    const balance = balanceWith({
      values: { energy_house_kwh: 10, energy_other_kwh: 2 },
      devices: [
        device('Pump', 0.2, 'Boiler'),
        device('Boiler', 1, 'Heat pump'),
        device('Valve', 0.1, 'Pump'),
        device('Car', 5),
        device('Heat pump', 3),
        device('Fan', 0.5, 'Heat pump'),
      ],
    });
    const [card] = deviceCards(sheetAt(0), balance, null);
    should(card?.shares?.list.map(({ name, part }) => [name, part])).eql([
      ['Car', 5],
      ['Heat pump', 3],
      ['Boiler', null],
      ['\u2003Pump', null],
      ['\u2003\u2003Valve', null],
      ['Fan', null],
      ['Rest', 2],
    ]);
  });
});
