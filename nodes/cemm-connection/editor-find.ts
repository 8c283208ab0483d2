/** "Find monitors": what answers in the network, as a list; one click fills in address and MAC. */
import type { FoundEntry } from './admin-answers';
import { connectionRoutes } from './config';
import { post, readFound, textMember } from '../lib/editor/admin-calls';
import { fieldText, textFrom } from '../lib/editor/open-form';
import type { CatalogueText } from '../lib/editor/catalogue';

/** @param onChosen called when address and MAC have been filled in */
export function prepareFindPanel(text: CatalogueText, onChosen: () => void): void {
  const button = $('#cemm-find');
  const list = $('#cemm-found');
  const host = $('#node-config-input-host');
  const mac = $('#node-config-input-mac');

  const showText = (sentence: string): void => {
    list.empty().append($('<div>').text(sentence));
  };
  const choose = (entry: FoundEntry): void => {
    host.val(entry.host).trigger('change');
    mac.val(entry.mac).trigger('change');
    list.children().removeClass('cemm-picked');
    list
      .children()
      .filter((_index, row) => $(row).data('mac') === entry.mac)
      .addClass('cemm-picked');
    onChosen();
  };
  const show = (found: readonly FoundEntry[]): void => {
    list.empty();
    for (const entry of found)
      list.append(
        rowOf(entry, text).on('click', () => {
          choose(entry);
        }),
      );
    const verified = found.filter((entry) => entry.verified);
    const [only] = verified;
    // The only one there is needs no choosing; what somebody has typed already is not overwritten.
    if (verified.length === 1 && only !== undefined && textFrom(host.val()).trim() === '') choose(only);
  };

  button.on('click', () => {
    button.prop('disabled', true);
    showText(text('find.searching'));
    const allowLoopback = fieldText($('#node-config-input-allowLoopback'));
    void post(connectionRoutes.find, { allowLoopback }).then((reply) => {
      button.prop('disabled', false);
      if (!reply.ok) {
        showText(text(`form.refused.${reply.word}`));
        return;
      }
      const error = textMember(reply.body, 'error');
      const found = readFound(reply.body);
      if (error !== null) showText(text(`error.${error}`));
      else if (found.length === 0) showText(text('find.none'));
      else show(found);
    });
  });
}

/** Text nodes only: names come from devices. */
function rowOf({ name, mac, host, version, verified }: FoundEntry, text: CatalogueText): JQuery {
  const facts = [host, mac, version === null ? '' : text('find.version', { version })];
  return $('<button>')
    .attr('type', 'button')
    .addClass(['cemm-pick', 'cemm-found'])
    .data('mac', mac)
    .append(
      $('<strong>').text(name ?? text('find.unnamed')),
      $('<span>').text(facts.filter((fact) => fact !== '').join(' · ')),
      ...(verified ? [] : [$('<em>').text(text('find.unverified'))]),
    );
}
