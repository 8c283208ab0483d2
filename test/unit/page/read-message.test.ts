/** What a page takes of a message that may be forged. */
import should from 'should';
import { pageVersion } from '../../../nodes/cemm-page/page/messages';
import { readPageMessage } from '../../../nodes/cemm-page/page/read-message';

describe('a message to the page', () => {
  it('DV6: has only a link to a path of its own site', () => {
    const linkIn = (dialog: string): string | undefined =>
      readPageMessage({ page: pageVersion, answers: {}, dialog })?.dialog;
    should(linkIn('/admin/#flow/1')).equal('/admin/#flow/1');
    for (const other of ['javascript:alert(1)', '//example.org/', '/\\example.org/', 'https://example.org/', '/a b']) {
      should(linkIn(other)).be.undefined();
    }
  });
});
