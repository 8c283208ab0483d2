/** The page: from answers, choice, moment and language to what the template shows. */
import type { BalancePayload } from '../../../../src/model/payload';
import { type Answer, buildQuestionKey, lastOf, type PageMessage, type PageSettings } from '../messages';
import { languageOf, type Texts } from '../languages';
import { comparesOf, type View, viewRows } from '../views';
import { billCards, shownPriceFields } from './bill';
import { balanceOf, failureText, type Sheet } from './card';
import {
  type Choice,
  chosenQuestion,
  compareIn,
  type Frame,
  isMorning,
  isPeriod,
  questionsOf,
  shapeIn,
  shapesOf,
} from './choice';
import { localTime } from './dates';
import type { Card, Choosable, Drawn, FileKind } from './drawn';
import { comparedTitle, pickerOf } from './header';
import { nowCards } from './now';
import { formatsOf, hasDecimalComma } from './numbers';
import { chosenCards } from './period';
import { unknownMeterIn } from './reasons';
import { lacksElectricity } from './series';
import { placeSlots } from './slots';
import { csvOf } from './table';
import { texting } from './texts';

export interface DrawInput {
  readonly choice: Choice;
  readonly frame: Frame;
  /** By `buildQuestionKey(question)`. */
  readonly answers: Readonly<Record<string, Answer>>;
  readonly message: Pick<PageMessage, 'settings' | 'failure' | 'dialog'>;
  /** BCP 47 tag. */
  readonly language: string;
  /** In this language. */
  readonly texts: Texts;
}

const dateAndTime = { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' } as const;

export function draw(input: DrawInput): Drawn {
  const { choice, frame, message, language } = input;
  const { settings, failure } = message;
  const { view } = choice;
  const sheet = sheetOf(input);
  const { say, formats } = sheet;
  const choosable = <K extends string>(keys: readonly K[], chosen: K, nameOf: (key: K) => string): Choosable<K>[] =>
    keys.map((key) => ({ key, name: nameOf(key), isChosen: key === chosen }));
  const isOfPeriod = isPeriod(view);
  const shape = shapeIn(choice);
  const picker = isOfPeriod ? pickerOf(sheet, view) : null;
  const shapes =
    isOfPeriod && !lacksElectricity(chosenBalance(input)) ? shapesOf(view).filter((one) => one !== 'table') : [];
  return {
    language: languageOf(language),
    view,
    today: isMorning(frame) ? localTime(frame.moment, frame.timezone).day : null,
    picker,
    name: say,
    views: choosable(settings.views, view, say).map((one) => ({ ...one, icon: viewRows[one.key].icon })),
    clock: view === 'now' ? formats.date(frame.moment, dateAndTime) : '',
    ...describeHouse(sheet, message.dialog),
    compares: isOfPeriod
      ? choosable(comparesOf(view), compareIn(choice), (one) => comparedTitle(sheet, view, one) ?? say('none'))
      : [],
    shapes: shapes.length > 1 && shape !== 'table' ? choosable(shapes, shape, say) : [],
    isTable: shape === 'table',
    fields: view === 'bill' && settings.changePrices ? shownPriceFields(sheet) : [],
    downloads: isOfPeriod ? filesOf(sheet) : [],
    failure: failure === undefined ? '' : failureText(say, failure),
    cards: cardsOf(sheet, view, picker?.title ?? '', settings),
  };
}

/** The line that says what the owner of the house has to enter, and the dialog for it. */
function describeHouse(
  { answers, questions, say }: Sheet,
  dialog: string | undefined,
): Pick<Drawn, 'label' | 'dialog'> {
  const balances = questions.flatMap((question) => lastOf(answers[buildQuestionKey(question)]) ?? []);
  const [meter] = balances.flatMap((balance) => unknownMeterIn(balance) ?? []);
  if (meter !== undefined) {
    const row = dialog === undefined ? undefined : `${dialog}/${encodeURIComponent(meter.key)}`;
    return { label: say('whatMeter', meter.name), dialog: row };
  }
  const isDemo = balances.some(({ source }) => source.transport === 'demo');
  const hasExample = balances.some(({ cost, bills }) => [cost, ...(bills ?? [])].some((one) => one?.example === true));
  return { label: isDemo ? say(hasExample ? 'demoExample' : 'demo') : hasExample ? say('example') : '', dialog };
}

/** A spreadsheet in English reads the file of programs. */
function filesOf({ say, tag }: Sheet): Choosable<FileKind>[] {
  const excel = { key: 'excel', name: say('excel'), isChosen: false } as const;
  return hasDecimalComma(tag) ? [excel, { key: 'csv', name: say('csv'), isChosen: false }] : [excel];
}

function cardsOf(sheet: Sheet, view: View, title: string, { readings }: PageSettings): Card[] {
  if (isPeriod(view)) return chosenCards(sheet, view, title, readings);
  switch (view) {
    case 'now':
      return nowCards(sheet, readings);
    case 'bill':
      return billCards(sheet);
  }
}

/** The file of the chosen period; null until it has arrived. */
export function fileOf(input: DrawInput, kind: FileKind): { readonly name: string; readonly text: string } | null {
  const balance = chosenBalance(input);
  return balance === null
    ? null
    : { name: `cemm-${balance.period?.label ?? ''}.csv`, text: csvOf(sheetOf(input), balance, kind) };
}

/** The view that a bar leads to; null: none, so the bar is chosen. */
export function openedBy(input: DrawInput, index: number): Pick<Choice, 'view' | 'date'> | null {
  const { choice, frame, message } = input;
  const { opens } = viewRows[choice.view];
  const balance = chosenBalance(input);
  if (opens === null || balance === null || !message.settings.views.includes(opens)) return null;
  const slot = placeSlots(balance, sheetOf(input).formats)[index];
  if (slot === undefined || slot.ts > frame.moment) return null;
  return { view: opens, date: localTime((slot.ts + slot.end) / 2, frame.timezone).day };
}

function chosenBalance(input: DrawInput): BalancePayload | null {
  const { choice, frame } = input;
  const { view } = choice;
  return isPeriod(view) ? balanceOf(sheetOf(input), chosenQuestion(choice, view, frame)) : null;
}

function sheetOf(input: DrawInput): Sheet {
  const { choice, answers, frame, language, texts } = input;
  return {
    choice,
    answers,
    frame,
    questions: questionsOf(choice, frame, answers),
    tag: language,
    say: texting(texts),
    formats: formatsOf(language, frame.timezone),
  };
}
