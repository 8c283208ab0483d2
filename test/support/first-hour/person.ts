/**
 * A person at the editor, with a mouse (mouse.ts) or by the keyboard alone (keyboard.ts). Nothing uses the API of the editor,
 * and every action is counted: a click, a double-click, a drag, a key with its modifiers, a text typed into one field, a choice
 * in an open list, or a scroll to something off the screen. Waiting is no action.
 */
import type { Locator, Page } from 'playwright-core';
import type { Browser } from '../browser/browser';
import { type MovingPicture, updatesPictures } from '../browser/moving-picture';
import type { NodeRed } from '../node-red/node-red';
import { until } from '../until';
import { editor } from './editor';

export type Target = string | Locator;

export interface Looks {
  /** Records a frame before each action, with the pointer at its place. */
  readonly film?: MovingPicture;
  /** Prefix of picture names, for another language or theme. */
  readonly prefix?: string;
  /** The same for pictures of Dutch pages: `-nl`. */
  readonly suffix?: string;
}

export abstract class Person {
  readonly actions: string[] = [];

  constructor(
    private readonly browser: Browser,
    private readonly looks: Looks = {},
  ) {}

  get page(): Page {
    return this.browser.page;
  }

  /** Drags from the palette to the empty canvas. */
  abstract addNode(type: string): Promise<void>;

  /** Opens the dialog of a node; without a label, of the only node on the canvas. */
  abstract openNode(label?: string): Promise<void>;

  /** Uses the import dialog, until the tab with the flow is shown. */
  abstract openExample(name: string, tab: string): Promise<void>;

  /** A button, a tab or a line of a list. */
  abstract press(what: string, target: Target): Promise<void>;

  /** Replaces the content of a field. */
  abstract type(what: string, target: Target, text: string): Promise<void>;

  /** Chooses in a select box. */
  abstract choose(what: string, target: Target, value: string): Promise<void>;

  /** Chooses in the menu of a field with several types. */
  abstract chooseType(what: string, field: string, value: string): Promise<void>;

  /** Presses the button of a dialog that saves: Done, Add, Update. */
  abstract confirm(what: 'Done' | 'Add' | 'Update'): Promise<void>;

  protected abstract pressDeploy(): Promise<void>;

  /** Resolves when the new flows run. */
  async deploy(nodeRed: NodeRed): Promise<void> {
    const starts = (): number => nodeRed.log.split('Started flows').length;
    const before = starts();
    await this.pressDeploy();
    await until('the started flows', () => starts() > before);
    await this.page.locator(editor.deployed).waitFor();
  }

  async key(what: string, combination: string): Promise<void> {
    await this.page.waitForFunction(isAtRest);
    await this.frame(900);
    this.count(`press ${combination} (${what})`);
    await this.page.keyboard.press(combination);
  }

  /** Presses a link that opens a tab of the browser. */
  async follow(what: string, target: Target): Promise<void> {
    await this.browser.inNewTab(() => this.press(what, target));
  }

  async backTo(what: string): Promise<void> {
    this.count(`the tab of ${what}`);
    await this.browser.toFirstTab();
  }

  /** Types into the address bar. */
  async goTo(what: string, address: string): Promise<void> {
    await this.frame(1_500);
    this.count(`open ${what}`);
    await this.page.goto(address, { waitUntil: 'domcontentloaded' });
  }

  /** Pastes into a field of the monitor's own page, which is not in this browser. Returns the content of the clipboard. */
  async pasteOnMonitor(what: string): Promise<string> {
    await this.page.context().grantPermissions(['clipboard-read']);
    this.count(`paste ${what} on the monitor`);
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Not counted: an entry that only the test needs, such as the address of a simulated service in place of the default. */
  async prepare(target: Target, text: string): Promise<void> {
    await this.locate(target).fill(text);
  }

  /** Moves the pointer there, as before a click. */
  async look(target: Target): Promise<void> {
    await (await this.find(target)).hover();
  }

  async picture(name: string, part?: string): Promise<void> {
    await this.browser.picture(`${this.looks.prefix ?? ''}${name}${this.looks.suffix ?? ''}`, part);
  }

  async frame(ms: number, { pointer = true } = {}): Promise<void> {
    await this.looks.film?.frame(ms, { pointer });
  }

  protected count(action: string): void {
    this.actions.push(action);
  }

  protected locate(target: Target): Locator {
    return typeof target === 'string' ? this.page.locator(target).first() : target.first();
  }

  /** Waits until the target exists and is at rest, and scrolls to it if it is off the screen. */
  protected async find(target: Target): Promise<Locator> {
    const part = await this.seen(target);
    if (!(await part.evaluate(isOnScreen))) {
      this.count('scroll');
      await part.scrollIntoViewIfNeeded();
    }
    if (updatesPictures && this.looks.film !== undefined) await part.hover();
    await this.frame(900);
    return part;
  }

  /** Waits for the end of its movement: dialogs slide in, and trees unfold. */
  protected async seen(target: Target): Promise<Locator> {
    const part = this.locate(target);
    await part.waitFor();
    let last = '';
    await until('the end of movements', async () => {
      const box = JSON.stringify(await part.boundingBox());
      const isSame = box === last;
      last = box;
      return isSame && this.page.evaluate(isAtRest);
    });
    return part;
  }
}

/** True if no style sheet transition or jQuery animation is running; endless animations do not count. */
function isAtRest(): boolean {
  const { $ } = window as { $?: (selector: string) => ArrayLike<Element> };
  const ends = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  return ends.length === 0 && ($ === undefined || $(':animated').length === 0);
}

/** True if its middle is in the window and not hidden by a box with a scroll bar. */
function isOnScreen(part: Element): boolean {
  const { x, y, width, height } = part.getBoundingClientRect();
  const frames = [new DOMRect(0, 0, innerWidth, innerHeight)];
  for (let around = part.parentElement; around !== null && around !== document.body; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    if (overflowX !== 'visible' || overflowY !== 'visible') frames.push(around.getBoundingClientRect());
  }
  const [middle, centre] = [x + width / 2, y + height / 2];
  return frames.every(
    ({ left, right, top, bottom }) => middle >= left && middle <= right && centre >= top && centre <= bottom,
  );
}
