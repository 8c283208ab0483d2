/** Parts that several forms build: options, buttons, picks, and the mark of a wrong field. */

export function createOption(value: string, words: string): JQuery {
  return $('<option>').val(value).text(words);
}

/** @param icon classes of the icon in front of the words */
export function createButton(words: string, icon?: string): JQuery {
  const button = $('<button>').attr('type', 'button').addClass('red-ui-button');
  if (icon === undefined) return button.text(words);
  return button.append($('<i>').addClass(icon).attr('aria-hidden', 'true'), ' ', $('<span>').text(words));
}

/** A button that fills in what it shows. Text nodes only, because names come from devices. */
export function createPick(name: string, ...more: readonly JQuery[]): JQuery {
  const title = $('<strong>').text(name);
  return $('<button>')
    .attr({ type: 'button' })
    .addClass('cemm-pick')
    .append(title, ' ', ...more);
}

/** Shows whether a pick is the chosen one. */
export function markPick(pick: JQuery, isChosen: boolean): JQuery {
  return pick.attr('aria-pressed', String(isChosen)).toggleClass('cemm-picked', isChosen);
}

/** @param problem id of the line that says what is wrong */
export function markInput(input: JQuery, problem: string, isWrong: boolean): void {
  input.toggleClass('input-error', isWrong);
  if (isWrong) input.attr({ 'aria-invalid': 'true', 'aria-describedby': problem });
  else input.removeAttr('aria-invalid aria-describedby');
}
