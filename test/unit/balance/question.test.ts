import should from 'should';
import { balanceDefaults } from '../../../nodes/cemm-balance/config';
import { createQuestion, parseQuestion } from '../../../nodes/cemm-balance/question';

const config = { ...balanceDefaults, step: '15m', progress: true } as const;
const common = { house: null, id: null, wantsPast: false, wantsParts: false };

describe('the question of a message to a balance node', () => {
  it('has from the node what the message lacks', () => {
    should(parseQuestion(config, { payload: { balance: 'now' } })).eql({ ...common, balance: 'now' });
    const payload = { balance: 'day', date: '2026-03-01', monitor: '0004A30B0001', question: 7 };
    const day = { ...common, balance: 'day', house: '0004A30B0001', id: 7, date: '2026-03-01', wantsHours: false };
    should(parseQuestion(config, { payload })).eql({ ...day, step: 'PT15M' });
    should(parseQuestion(config, { payload: { ...payload, step: '1m' } })).eql({ ...day, step: 'PT1M' });
  });

  it('about a long period has parts as the message says, otherwise as the node is set', () => {
    const year = { ...common, balance: 'year', date: undefined, step: 'P1M', wantsPast: true };
    should(parseQuestion(config, { payload: { balance: 'year', hours: true } })).eql({
      ...year,
      wantsParts: true,
      wantsHours: true,
    });
    should(parseQuestion(config, { payload: { balance: 'year', progress: false } })).eql({
      ...year,
      wantsHours: false,
    });
  });

  it('of a poll is about the period of the node', () => {
    should(createQuestion(config, 'month')).eql(parseQuestion(config, { payload: { balance: 'month' } }));
  });

  it('is null for a payload of this package and for other words, which a node that adds up messages refuses', () => {
    should(parseQuestion(config, { payload: { schema: 'cemm/1', balance: 'day' } })).be.null();
    should(parseQuestion(config, { payload: { balance: 'decade' } })).be.null();
    should(() => parseQuestion({ ...config, source: 'messages' }, { payload: { balance: 'decade' } })).throw({
      code: 'INPUT',
      reason: 'period',
    });
  });
});
