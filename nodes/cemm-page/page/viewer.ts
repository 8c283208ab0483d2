/** One page in a browser: what its viewer chose, the answers that have arrived, and signs of life to the node. */
import { setRecent } from '../../../src/checks/set-recent';
import { findCarpetDay } from './draw/carpet';
import { type Choice, firstChoice, isUsualDate, type PriceField, questionsOf, stepped } from './draw/choice';
import { draw, type DrawInput, fileOf, openedBy } from './draw/draw';
import type { Drawn, FileKind } from './draw/drawn';
import type { Carpet } from './draw/pictures';
import { knownLanguage, type Language, languageOf, languages, type Texts } from './languages';
import { writeQuery, readAddress, readChoice, storedChoice } from './kept-choice';
import { type Answer, buildQuestionKey, lastOf, type PageMessage, type ViewerMessage } from './messages';
import { readPageMessage } from './read-message';

const signMs = 20_000;
/** Without texts nothing can be shown, so a lost message is asked for again soon. */
const textsMs = 4_000;
/** At least as many as the node keeps for a viewer. */
const mostAnswers = 64;

/** The parts of a browser that a viewer uses. */
export interface Screen {
  readonly now: () => number;
  /** Languages of the browser, the preferred one first. */
  readonly languages: readonly string[];
  readonly isHidden: () => boolean;
  /** Survives a reload and a deploy, and is not shared with other tabs. Null: nothing is kept. */
  readonly kept: () => string | null;
  readonly keep: (text: string) => void;
  readonly send: (message: ViewerMessage) => void;
  /** Offers a file to the user. */
  readonly save: (name: string, text: string) => void;
  /** The query of the address of the page. */
  readonly address: () => string;
  /** @param isStep the button "back" of the browser leads back to the address of before */
  readonly visit: (address: string, isStep: boolean) => void;
  readonly show: (drawn: Drawn | null) => void;
}

export class Viewer {
  private choice: Choice;
  private message: PageMessage | null = null;
  private answers = new Map<string, Answer>();
  private readonly texts = new Map<Language, Texts>();
  private signedAt = -Infinity;
  private signed = '';

  constructor(
    private readonly id: string,
    private readonly screen: Screen,
  ) {
    this.choice = { ...firstChoice, ...readChoice(screen.kept()), ...readAddress(screen.address()) };
  }

  /** @param payload of any message to the ui-template, such as that with the page itself */
  receive(payload: unknown): void {
    const message = readPageMessage(payload);
    if (message !== null) {
      if (message.house !== this.message?.house) this.answers.clear();
      this.message = message;
      for (const language of languages) {
        const texts = message.texts?.[language];
        if (texts !== undefined) this.texts.set(language, texts);
      }
      for (const [key, answer] of Object.entries(message.answers)) this.keepAnswer(key, answer);
    }
    this.update();
  }

  choose(changes: Partial<Choice>): void {
    const { view } = this.choice;
    this.choice = { ...this.choice, ...changes };
    this.screen.keep(storedChoice(this.choice));
    if (changes.view !== undefined || changes.date !== undefined) {
      this.screen.visit(writeQuery(this.choice), this.choice.view !== view);
    }
    this.update();
  }

  /** The address has changed, as by the button "back". */
  returned(): void {
    this.choice = { ...this.choice, at: null, pickAt: null, date: null, ...readAddress(this.screen.address()) };
    this.screen.keep(storedChoice(this.choice));
    this.update();
  }

  /** A bar leads to its view, or is chosen itself; the chosen bar once more: none. */
  open(index: number): void {
    const input = this.input();
    const opened = input === null ? null : openedBy(input, index);
    if (opened !== null) this.choose({ ...opened, at: null, pickAt: null });
    else this.choose({ at: this.choice.at === index ? null : index });
  }

  /** A place of the carpet, from 0 to 1, leads to its day. */
  openDay(carpet: Pick<Carpet, 'year' | 'days'>, place: number): void {
    this.choose({ view: 'day', date: findCarpetDay(carpet, place), at: null, pickAt: null });
  }

  /** By the keyboard. */
  move(count: number, columns: number): void {
    const from = this.choice.at ?? (count > 0 ? -1 : columns);
    this.choose({ at: Math.min(columns - 1, Math.max(0, from + count)) });
  }

  /** To the period that is so many later; nothing if it has not begun. */
  step(count: number): void {
    const date = stepped(this.shownChoice(), count, this.frame());
    if (date !== null) this.choose({ date, at: null, pickAt: null });
  }

  /** Draws the page anew, and asks for what it needs: after each change, and every few seconds. */
  update(): void {
    // A page that stays open goes on with the next day.
    if (isUsualDate(this.choice, this.frame())) {
      this.choose({ date: null });
      return;
    }
    this.sign(this.shownChoice());
    const input = this.input();
    if (input !== null) this.screen.show(this.drawn(input));
  }

  price(field: PriceField, typed: string): void {
    this.choose({ prices: { ...this.choice.prices, [field]: typed } });
  }

  download(kind: FileKind): void {
    const input = this.input();
    const file = input === null ? null : fileOf(input, kind);
    if (file !== null) this.screen.save(file.name, file.text);
  }

  /** A page that comes back from the history of the browser says again at once what it looks at. */
  leave(): void {
    this.signed = '';
    this.screen.send({ viewer: this.id, wants: [], gone: true });
  }

  /** An answer that cannot be drawn must not take the buttons away. */
  private drawn(input: DrawInput): Drawn {
    try {
      return draw(input);
    } catch {
      this.answers.clear();
      return draw({ ...input, answers: {} });
    }
  }

  /** Null before the first message, and before the texts of another language. */
  private input(): DrawInput | null {
    const { message } = this;
    const language = this.tag();
    const texts = this.texts.get(languageOf(language));
    if (message === null || texts === undefined) return null;
    const answers = Object.fromEntries(this.answers);
    return { choice: this.shownChoice(), frame: this.frame(), answers, message, language, texts };
  }

  /** That of the node; if it is blank, the first known language of the browser. */
  private tag(): string {
    const ofNode = this.message?.settings.language ?? '';
    const tags = ofNode === '' ? this.screen.languages : [ofNode];
    return tags.find((tag) => knownLanguage(tag) !== undefined) ?? 'en';
  }

  private sign(choice: Choice): void {
    if (this.screen.isHidden()) return;
    const wants = questionsOf(choice, this.frame(), Object.fromEntries(this.answers));
    const language = languageOf(this.tag());
    const lacksTexts = !this.texts.has(language);
    const [now, text] = [
      this.screen.now(),
      [...(lacksTexts ? [language] : []), ...wants.map(buildQuestionKey)].join('\n'),
    ];
    if (text === this.signed && now - this.signedAt < (lacksTexts ? textsMs : signMs)) return;
    this.signed = text;
    this.signedAt = now;
    this.screen.send({ viewer: this.id, wants, ...(lacksTexts && { language }) });
  }

  /** A node that was started anew reads what this page already has, or cannot get it. */
  private keepAnswer(key: string, answer: Answer): void {
    const balance = lastOf(this.answers.get(key));
    if (answer.state === 'waiting' && balance !== null) return;
    const shown = answer.state === 'failed' && balance !== null ? { balance, ...answer } : answer;
    setRecent(this.answers, key, shown, mostAnswers);
  }

  /** The chosen view, if the page offers it. */
  private shownChoice(): Choice {
    const views = this.message?.settings.views ?? [this.choice.view];
    const [first = firstChoice.view] = views;
    return views.includes(this.choice.view) ? this.choice : { ...this.choice, view: first };
  }

  private frame(): { moment: number; timezone: string | null } {
    return { moment: this.screen.now(), timezone: this.message?.timezone ?? null };
  }
}
