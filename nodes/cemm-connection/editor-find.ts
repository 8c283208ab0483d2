/** "Find monitors": lists the monitors in the network; a click fills in address and MAC, also in place of the demo monitor. */
import type { FoundEntry } from './admin-answers';
import { connectionRoutes } from './config';
import type { CheckPanel } from './editor-check';
import { ask, onClick, readFound } from '../lib/editor/admin-calls';
import { createPick, markPick } from '../lib/editor/form-parts';
import { fieldText, textFrom } from '../lib/editor/open-form';
import type { CatalogueText } from '../lib/editor/catalogue';

/** Checks the connection after address and MAC are filled in. */
export function prepareFindPanel(text: CatalogueText, check: CheckPanel): void {
  const button = $('#cemm-find');
  const list = $('#cemm-found');
  const status = $('#cemm-find-status');
  const host = $('#node-config-input-host');
  const mac = $('#node-config-input-mac');

  const showText = (sentence: string): void => {
    list.empty();
    status.text(sentence);
  };
  const choose = (entry: FoundEntry): void => {
    const mode = $('#node-config-input-mode');
    if (mode.val() === 'demo') mode.val('local').trigger('change');
    host.val(entry.host).trigger('change');
    mac.val(entry.mac).trigger('change');
    list.children().each((_index, row) => {
      markPick($(row), $(row).data('mac') === entry.mac);
    });
    check.run();
  };
  const show = (found: readonly FoundEntry[]): void => {
    showText(text('find.found', { count: found.length }));
    for (const entry of found)
      list.append(
        createMonitorButton(entry, text).on('click', () => {
          choose(entry);
        }),
      );
    const verified = found.filter((entry) => entry.verified);
    const [only] = verified;
    // A single monitor is filled in at once, unless the user has typed an address at which one may be.
    const written = textFrom(host.val()).trim();
    if (verified.length === 1 && only !== undefined && (written === '' || check.hasFailed(written))) choose(only);
  };

  onClick(button, async () => {
    showText(text('find.searching'));
    const allowLoopback = fieldText($('#node-config-input-allowLoopback'));
    const { body, problem } = await ask(connectionRoutes.find, { allowLoopback }, text);
    const found = readFound(body);
    if (problem !== null) showText(problem);
    else if (found.length === 0) showText(text('find.none'));
    else show(found);
  });
}

function createMonitorButton({ name, mac, host, version, verified }: FoundEntry, text: CatalogueText): JQuery {
  const facts = [host, mac, version === null ? '' : text('find.version', { version })];
  const more = $('<span>').text(facts.filter((fact) => fact !== '').join(' · '));
  const doubt = verified ? [] : [$('<em>').text(text('find.unverified'))];
  return createPick(name ?? text('find.unnamed'), more, ...doubt)
    .attr('aria-pressed', 'false')
    .addClass('cemm-found')
    .data('mac', mac);
}
