/** Offers the meters and channels of the chosen CEMM 3.0 below their fields; free text stays possible. */
import type { MeterEntry } from '../cemm-connection/admin-answers';
import { isPublic } from '../lib/editor/connection-form';
import { createPick, markPick } from '../lib/editor/form-parts';
import { textFrom } from '../lib/editor/open-form';
import { describeChannel, describeMeter, followMeters } from '../lib/editor/pick-lists';
import type { CatalogueText } from '../lib/editor/catalogue';

interface Pick {
  readonly value: string;
  readonly more: string;
}

/** Call from `oneditprepare`, after the typed inputs of these fields are created. */
export function prepareChannelPicks(text: CatalogueText): void {
  let meters: readonly MeterEntry[] = [];

  const show = (): void => {
    const chosen = textFrom($('#node-input-meter').val()).trim();
    offer(
      'meter',
      meters.map((meter) => ({ value: meter.alias, more: describeMeter(meter, text) })),
    );
    const channels = meters.find(({ alias }) => alias === chosen)?.channels ?? [];
    offer(
      'channel',
      channels.map((channel) => ({ value: channel.key, more: describeChannel(channel) })),
    );
  };

  $('#node-input-meter, #node-input-channel').on('change', show);
  followMeters(text, isPublic, (listed, problem) => {
    meters = listed;
    show();
    if (problem !== '') $('#cemm-picks-meter').append($('<div>').attr('role', 'status').text(problem));
  });
}

/** Text nodes only: names come from devices. */
function offer(field: 'meter' | 'channel', picks: readonly Pick[]): void {
  const input = $(`#node-input-${field}`);
  const isText = textFrom($(`#node-input-${field}Type`).val()) === 'str';
  const value = textFrom(input.val()).trim();
  const box = $(`#cemm-picks-${field}`).empty();
  for (const pick of picks) {
    const button = createPick(pick.value, $('<span>').text(pick.more)).on('click', () => {
      input.typedInput('type', 'str');
      input.typedInput('value', pick.value);
      input.trigger('change');
    });
    box.append(markPick(button, isText && pick.value === value));
  }
}
