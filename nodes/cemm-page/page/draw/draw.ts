/** The page: from answers, choice, moment and language to what the template shows. */
import type { Answer, PageMessage, PageSettings } from '../messages';
import { comparesOf, type View } from '../views';
import { billCards, fieldsOf } from './bill';
import { balanceOf, failureText, type Sheet } from './card';
import {
  type Choice,
  chosenQuestion,
  compareIn,
  dayOf,
  type Frame,
  isPeriod,
  questionsOf,
  shapeIn,
  shapesOf,
  stepped,
} from './choice';
import { localTime } from './dates';
import type { Card, Choosable, Drawn } from './drawn';
import { nowCards } from './now';
import { formatsOf } from './numbers';
import { chosenCards, compareNames, titleOf } from './period';
import { csvOf } from './table';
import { languageOf, texting } from './texts';

export interface DrawInput {
  readonly choice: Choice;
  readonly frame: Frame;
  /** By `keyOf(question)`. */
  readonly answers: Readonly<Record<string, Answer>>;
  readonly message: Pick<PageMessage, 'settings' | 'failure' | 'dialog'>;
  /** BCP 47 tag. */
  readonly language: string;
}

export function draw(input: DrawInput): Drawn {
  const { choice, frame, message, language } = input;
  const { settings, failure } = message;
  const { view } = choice;
  const sheet = sheetOf(input);
  const { say, formats } = sheet;
  const { day: today } = localTime(frame.moment, frame.timezone);
  const choosable = <K extends string>(keys: readonly K[], chosen: K, nameOf: (key: K) => string): Choosable<K>[] =>
    keys.map((key) => ({ key, name: nameOf(key), isChosen: key === chosen }));
  const balances = sheet.questions.flatMap((question) => balanceOf(sheet, question) ?? []);
  const hasExample = balances.some(({ cost, bills }) => [cost, ...(bills ?? [])].some((one) => one?.example === true));
  const isOfPeriod = isPeriod(view);
  const title = isOfPeriod ? titleOf(sheet, view, dayOf(choice, frame), language) : '';
  const names = isOfPeriod ? compareNames[view] : {};
  return {
    language: languageOf(language),
    views: choosable(settings.views, view, say),
    clock: formats.clock(frame.moment),
    labels: [
      ...(balances.some(({ source }) => source.transport === 'demo') ? [say('demo')] : []),
      ...(hasExample ? [say('example')] : []),
    ],
    dialog: message.dialog,
    picker: isOfPeriod
      ? { title, date: dayOf(choice, frame), today, hasNext: stepped(choice, 1, frame) !== null }
      : null,
    compares: isOfPeriod ? choosable(comparesOf(view), compareIn(choice), (one) => say(names[one] ?? 'none')) : [],
    shapes: isOfPeriod ? choosable(shapesOf(view), shapeIn(choice), say) : [],
    fields: view === 'bill' && settings.changePrices ? fieldsOf(sheet) : [],
    downloads:
      isOfPeriod && shapeIn(choice) === 'table'
        ? [
            { key: 'comma', name: 'CSV 1,5', isChosen: false },
            { key: 'point', name: 'CSV 1.5', isChosen: false },
          ]
        : [],
    failure: failure === undefined ? '' : failureText(say, failure),
    cards: cardsOf(sheet, view, title, settings),
    name: say,
  };
}

function cardsOf(sheet: Sheet, view: View, title: string, { readings }: PageSettings): Card[] {
  if (view === 'bill') return billCards(sheet);
  return isPeriod(view) ? chosenCards(sheet, view, title, readings) : nowCards(sheet, readings);
}

/** The file of the chosen period; null until it has arrived. */
export function fileOf(
  input: DrawInput,
  kind: 'point' | 'comma',
): { readonly name: string; readonly text: string } | null {
  const { choice, frame } = input;
  const { view } = choice;
  if (!isPeriod(view)) return null;
  const sheet = sheetOf(input);
  const question = chosenQuestion(choice, view, frame);
  const balance = balanceOf(sheet, question);
  return balance === null ? null : { name: `cemm-${question.date ?? ''}.csv`, text: csvOf(sheet, balance, kind) };
}

function sheetOf(input: DrawInput): Sheet {
  const { choice, answers, frame, language } = input;
  return {
    ...{ choice, answers, frame, questions: questionsOf(choice, frame) },
    say: texting(languageOf(language)),
    formats: formatsOf(language, frame.timezone),
  };
}
