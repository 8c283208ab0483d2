/** "Keep past days": what is kept in the user folder, reading it again, and deleting it. */
import { connectionRoutes } from './config';
import { ask, numberMember, onClick } from '../lib/editor/admin-calls';
import type { CatalogueText } from '../lib/editor/catalogue';
import { textFrom } from '../lib/editor/open-form';

export function prepareKeptPanel(text: CatalogueText): void {
  const line = $('#cemm-kept');

  const act = async (action: 'show' | 'again' | 'forget'): Promise<void> => {
    const month = action === 'again' ? textFrom($('#cemm-kept-month').val()).trim() : '';
    if (month !== '' && !/^20\d{2}-(0[1-9]|1[0-2])$/.test(month)) {
      line.text(text('kept.noMonth', { month }));
      return;
    }
    const { body, problem } = await ask(connectionRoutes.kept, { action, month }, text);
    if (problem !== null) {
      line.text(problem);
      return;
    }
    const months = numberMember(body, 'months') ?? 0;
    // Rounded up: what is there is never shown as 0.
    const tenths = Math.ceil((numberMember(body, 'bytes') ?? 0) / 1e5);
    const megabytes = (tenths / 10).toLocaleString(text('language.code'), {
      maximumFractionDigits: 1,
      minimumFractionDigits: 1,
    });
    const size = text('kept.size', { months, megabytes });
    const willRead = month === '' ? text('kept.willRead') : text('kept.willReadMonth', { month });
    const shown = action === 'again' ? `${size} ${willRead}` : size;
    line.text(months === 0 ? text('kept.none') : shown);
  };

  onClick($('#cemm-kept-again'), () => act('again'));
  $('#cemm-kept-forget').on('click', () => {
    const close = (): void => {
      question.close();
    };
    const question = RED.notify(text('kept.question'), {
      modal: true,
      fixed: true,
      buttons: [
        { text: text('kept.cancel'), click: close },
        {
          text: text('kept.forget'),
          class: 'primary',
          click: () => {
            close();
            void act('forget');
          },
        },
      ],
    });
  });
  void act('show');
}
