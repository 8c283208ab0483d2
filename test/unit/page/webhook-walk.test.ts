/** The page of a CEMM 3.0 at the moments at which its owner looks: every tile has a number, or a reason that the owner can act on. */
import should from 'should';
import type { Card, Drawn } from '../../../nodes/cemm-page/page/draw/drawn';
import { firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import { views } from '../../../nodes/cemm-page/page/views';
import { answersOf } from '../../support/page/answers-of';
import { zone } from '../../support/page/house-answers';
import { settings, textsFor } from '../../support/page/sheet';
import { type Look, walkPublic, walkSimulated, walkSpecified } from '../../support/page/walks';

const language = 'nl';
const texts = textsFor(language);

function hasNumber(text: string): boolean {
  return /\d/.test(text);
}

function isReason(notes: readonly string[]): boolean {
  return notes.some((note) => note !== '' && !note.includes(texts.unknown ?? ''));
}

/** What has neither a number nor a reason. */
function blanksIn(card: Card): string[] {
  const { title, state, sentence, notes, hero, tiles, flow } = card;
  const place = (name: string): string => `${title}, ${name}`;
  const named = [
    ...(hero === null ? [] : [{ ...hero, notes: [...hero.notes, sentence] }]),
    ...(hero === null || hero.cost === null ? [] : [hero.cost]),
    ...tiles,
    ...(flow === null ? [] : [{ ...flow.house, name: texts.house ?? '' }, ...flow.nodes]).map(({ name, text }) => ({
      name,
      text,
      notes: [...notes, state],
    })),
  ];
  const empty = card.isFailure && state === '' ? [place('state')] : [];
  return [
    ...empty,
    ...named.flatMap(({ name, text, notes: own }) => (hasNumber(text) || isReason(own) ? [] : [place(name)])),
  ];
}

function holdPage({ cards }: Drawn, place: string): void {
  should(cards.length).be.above(0, place);
  should(cards.flatMap(blanksIn)).eql([], place);
  should(JSON.stringify(cards)).not.match(/−0(,0+)?[^,\d]/, place);
}

function saidIn({ cards: [card] }: Drawn): string {
  return [card?.state, ...(card?.notes ?? [])].join(' ');
}

/** @param ofMoment what the page says in place of the values of the moment; null: nothing */
async function holdWalk(
  walk: (look: Look) => Promise<void>,
  ofMoment: (name: Parameters<Look>[0]) => string | null,
): Promise<void> {
  let seen = 0;
  await walk(async (name, house) => {
    for (const view of views) {
      const choice = { ...firstChoice, view };
      const answers = await answersOf(house, choice);
      const frame = { moment: house.now, timezone: zone };
      const drawn = draw({ choice, answers, frame, message: { settings }, language, texts });
      holdPage(drawn, `${view}, ${name}`);
      if (view === 'now' && ofMoment(name) !== null) should(saidIn(drawn)).containEql(ofMoment(name));
      seen += 1;
    }
  });
  should(seen).equal(5 * views.length);
}

const afterRestart = (name: Parameters<Look>[0]): string | null =>
  name === 'restart' ? (texts.nextDelivery ?? null) : null;

describe('the page of a CEMM 3.0', function () {
  this.timeout(300_000);

  it('has numbers or reasons with the deliveries of a monitor written from the specification', async () => {
    await holdWalk(walkSpecified, afterRestart);
  });

  it('has numbers or reasons with the deliveries of the simulator', async () => {
    await holdWalk(walkSimulated, afterRestart);
  });

  it('has numbers or reasons, and none of electricity, with the deliveries of a water meter alone', async () => {
    await holdWalk(
      (look) => walkSimulated(look, 'water-only'),
      () => null,
    );
    await walkSimulated(async (name, house) => {
      const choice = firstChoice;
      const answers = await answersOf(house, choice);
      const frame = { moment: house.now, timezone: zone };
      const { cards } = draw({ choice, answers, frame, message: { settings }, language, texts });
      should(cards.some(({ flow }) => flow !== null)).equal(false, name);
      should(cards.some(({ hero }) => hero?.name.startsWith('Water') === true)).equal(true, name);
    }, 'water-only');
  });

  it('has numbers or reasons with a public API written from the specification', async () => {
    await holdWalk(walkPublic, () => texts.NO_MOMENT ?? null);
  });
});
