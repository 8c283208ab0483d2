/** Which pictures of the page lie on the contact sheets: of all values of what differs, each pair occurs. */
import { views } from '../../../nodes/cemm-page/page/views';

export const times = ['07:10', '13:40', '21:00'] as const;
export const households = ['demo', 'battery', 'no sun', 'CEMM 3.0'] as const;

const values = {
  view: views,
  screen: ['phone', 'tablet', 'desktop'],
  theme: ['light', 'dark'],
  language: ['en', 'nl'],
  household: households,
  time: times,
} as const;

export interface PlannedPicture {
  readonly view: (typeof views)[number];
  readonly screen: 'phone' | 'tablet' | 'desktop';
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'nl';
  readonly household: (typeof households)[number];
  readonly time: (typeof times)[number];
}

const names = Object.keys(values) as (keyof PlannedPicture)[];
const pairsOfNames = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));

function listAll(): PlannedPicture[] {
  return values.view.flatMap((view) =>
    values.screen.flatMap((screen) =>
      values.theme.flatMap((theme) =>
        values.language.flatMap((language) =>
          households.flatMap((household) => times.map((time) => ({ view, screen, theme, language, household, time }))),
        ),
      ),
    ),
  );
}

function listPairs(picture: PlannedPicture): string[] {
  return pairsOfNames.map(([one, other]) => `${one} ${picture[one]}, ${other} ${picture[other]}`);
}

/** Views and screens in turn; of the pictures of both, the one whose pairs were taken least. */
export function planPictures(count: number): PlannedPicture[] {
  const all = listAll();
  const taken = new Map<string, number>();
  const planned: PlannedPicture[] = [];
  const rateNewness = (picture: PlannedPicture): number =>
    listPairs(picture).reduce((sum, pair) => sum + 1 / (1 + (taken.get(pair) ?? 0)), 0);
  for (let index = 0; index < count; index += 1) {
    const view = values.view[index % values.view.length];
    const screen = values.screen[Math.floor(index / values.view.length) % values.screen.length];
    const left = all.filter((one) => one.view === view && one.screen === screen && !planned.includes(one));
    const next = left.reduce((best, one) => (rateNewness(one) > rateNewness(best) ? one : best));
    planned.push(next);
    for (const pair of listPairs(next)) taken.set(pair, (taken.get(pair) ?? 0) + 1);
  }
  return planned;
}

/** Pairs of values that no picture has. */
export function missingPairs(planned: readonly PlannedPicture[]): string[] {
  const there = new Set(planned.flatMap(listPairs));
  return [...new Set(listAll().flatMap(listPairs))].filter((pair) => !there.has(pair));
}
