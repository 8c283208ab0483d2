/** Numbers of the page as texts. */
import should from 'should';
import { addingUp, digitsFor, formatsOf } from '../../../nodes/cemm-page/page/draw/numbers';

const dutch = formatsOf('nl', 'Europe/Amsterdam');

describe('numbers of the page', () => {
  it('PA1: shows no minus zero', () => {
    dutch.amount(-0.04, 'kWh', 1).should.equal('0,0\u00a0kWh');
    dutch.number(-0, 0).should.equal('0');
    dutch.money(-0.001, 'EUR').should.equal('€\u00a00,00');
  });

  it('has the currency behind an amount where it is written as a sign', () => {
    dutch.money(1234.5, '€').should.equal('1.234,50\u00a0€');
    dutch.money(0.2346, '€', 3).should.equal('0,235\u00a0€');
    dutch.money(null, '€').should.equal('–');
  });

  it('shows a dash for a missing value, not 0', () => {
    dutch.amount(null, 'kWh', 1).should.equal('–');
    dutch.percent(undefined).should.equal('–');
  });

  it('rounds a share down, so that 100 % means all', () => {
    dutch.percent(0.999).should.equal('99%');
    dutch.percent(0.29).should.equal('29%');
    dutch.percent(1).should.equal('100%');
  });

  it('shows the clock of the house', () => {
    formatsOf('en', 'America/St_Johns').clock(Date.parse('2026-06-18T12:20:00Z')).should.equal('09:50');
  });

  it('has fewer decimals for larger amounts', () => {
    [[0.2, null], [-12, 3], [1200]].map((values) => digitsFor(values)).should.eql([2, 1, 0]);
  });

  it('rounds parts so that they add up to the rounded total', () => {
    addingUp(1.0, [0.333, 0.333, 0.334], 1).should.eql([0.3, 0.3, 0.4]);
    // No part is off by a whole unit: the import of a day does not become 0.
    addingUp(4.43, [1.73, -0.29, 1.56, 0.53, 0.9], 0).should.eql([2, 0, 1, 0, 1]);
    // In binary this total is a little below the half, and shown as 18.1.
    addingUp(18.15, [10, 16.55, -8.4], 1).should.eql([10, 16.5, -8.4]);
    addingUp(413, [-1330.6, 1743.6, 0], 0).should.eql([-1331, 1744, 0]);
  });

  it('rounds parts that do not make the total one by one', () => {
    addingUp(5, [0.26, 0.26], 1).should.eql([0.3, 0.3]);
    addingUp(5, [4.96, null], 1).should.eql([5, null]);
    should(addingUp(null, [0.26], 1)).eql([0.3]);
  });
});
