/** Buttons below a field with a list of words: a click adds or removes one. Any other word can still be typed. */
import { createPick, markPick } from './form-parts';
import { textFrom } from './open-form';

export interface ListPick {
  readonly word: string;
  readonly title: string;
  readonly unit?: string | null;
}

export function prepareListPicks(property: string, picks: readonly ListPick[]): void {
  const input = $(`#node-input-${property}`);
  const chips = picks.map((pick) => ({ word: pick.word, chip: chipOf(pick) }));
  const show = (): void => {
    const chosen = listed(textFrom(input.val()));
    for (const { word, chip } of chips) markPick(chip, chosen.includes(word));
  };
  for (const { word, chip } of chips) {
    chip.on('click', () => {
      const chosen = listed(textFrom(input.val()));
      const now = chosen.includes(word) ? chosen.filter((other) => other !== word) : [...chosen, word];
      input.val(now.join(', ')).trigger('change');
    });
  }
  $(`#cemm-picks-${property}`).append(...chips.map(({ chip }) => chip));
  input.on('input change', show);
  show();
}

function chipOf({ word, title, unit }: ListPick): JQuery {
  return createPick(title, $('<span>').text(unit ?? '')).attr('title', word);
}

function listed(list: string): string[] {
  return list.split(/[\s,;]+/).filter((word) => word !== '');
}
