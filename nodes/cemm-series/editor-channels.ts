/** Offers the meters and channels of the chosen CEMM 3.0 below their fields; free text stays possible. */
import type { MeterEntry } from '../cemm-connection/admin-answers';
import { connectionRoutes } from '../cemm-connection/config';
import { post, readMeters, textMember } from '../lib/editor/admin-calls';
import { chosenForm, isPublic } from '../lib/editor/connection-form';
import { textFrom } from '../lib/editor/open-form';
import { describeChannel, describeMeter } from '../lib/editor/pick-lists';
import type { CatalogueText } from '../lib/editor/catalogue';

interface Pick {
  readonly value: string;
  readonly more: string;
}

/** Call from `oneditprepare`, after the typed inputs of these fields are created. */
export function prepareChannelPicks(text: CatalogueText): void {
  const connection = $('#node-input-connection');
  const monitor = $('#node-input-monitor');
  let meters: readonly MeterEntry[] = [];
  let asked = '';

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
  const load = (): void => {
    const id = textFrom(connection.val());
    const form = isPublic(id) ? chosenForm(id) : null;
    const isText = textFrom($('#node-input-monitorType').val()) === 'str';
    const request = form === null ? null : { ...form, monitor: isText ? textFrom(monitor.val()) : '' };
    const key = JSON.stringify(request);
    if (key === asked) return;
    asked = key;
    meters = [];
    show();
    if (request === null) return;
    $('#cemm-picks-meter').append($('<div>').attr('role', 'status').text(text('form.picks.loading')));
    void post(connectionRoutes.meters, request).then((reply) => {
      if (key !== asked) return;
      const error = reply.ok ? textMember(reply.body, 'error') : null;
      const problem = !reply.ok ? text(`form.refused.${reply.word}`) : error === null ? null : text(`error.${error}`);
      meters = reply.ok && error === null ? readMeters(reply.body) : [];
      show();
      if (problem !== null) $('#cemm-picks-meter').append($('<div>').attr('role', 'status').text(problem));
    });
  };

  connection.on('change', load);
  monitor.on('change', load);
  $('#node-input-meter, #node-input-channel').on('change', show);
  load();
}

/** Text nodes only: names come from devices. */
function offer(field: 'meter' | 'channel', picks: readonly Pick[]): void {
  const input = $(`#node-input-${field}`);
  const isText = textFrom($(`#node-input-${field}Type`).val()) === 'str';
  const value = textFrom(input.val()).trim();
  const box = $(`#cemm-picks-${field}`).empty();
  for (const pick of picks) {
    const isChosen = isText && pick.value === value;
    box.append(
      $('<button>')
        .attr({ type: 'button', 'aria-pressed': String(isChosen) })
        .addClass('cemm-pick')
        .toggleClass('cemm-picked', isChosen)
        .append($('<strong>').text(pick.value), ' ', $('<span>').text(pick.more))
        .on('click', () => {
          input.typedInput('type', 'str');
          input.typedInput('value', pick.value);
          input.trigger('change');
        }),
    );
  }
}
