/** What each viewer has been sent (nodes/cemm-page/outbox.ts). */
import should from 'should';
import { type Header, Outbox } from '../../../nodes/cemm-page/outbox';
import { everyone } from '../../../nodes/cemm-page/viewer-message';
import { nameQuestion, type Viewer } from '../../../nodes/cemm-page/viewers';
import { pageVersion } from '../../../nodes/cemm-page/page/messages';

const settings = { views: [], language: '', readings: true, changePrices: true };
const header: Header = { page: pageVersion, settings, timezone: null, house: null };
const answerTo = () => ({
  version: 1,
  bytes: 10,
  answer: { state: 'failed' as const, code: '', message: '', at: 0 },
});

describe('the messages to a viewer', () => {
  it('are remembered only for what it looks at', () => {
    const outbox = new Outbox();
    const looking = (date: string): Viewer => ({ client: everyone, wants: [nameQuestion({ balance: 'day', date })] });
    outbox.signed(everyone.socket, { isNewPage: true, added: [], lacked: undefined }, 0);
    const sentAt = (date: string, now: number): string[] | null => {
      const message = outbox.next(looking(date), { header, answerTo }, now);
      return message === null ? null : Object.keys(message.answers);
    };
    should(sentAt('2026-10-25', 0)).eql(['day 2026-10-25']);
    should(sentAt('2026-10-25', 2_000)).equal(null);
    should(sentAt('2026-10-26', 4_000)).eql(['day 2026-10-26']);
    should(sentAt('2026-10-25', 6_000)).eql(['day 2026-10-25']);
  });
});
