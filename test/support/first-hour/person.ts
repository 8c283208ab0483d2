/**
 * Somebody at the editor: mouse and keyboard only, nothing by the API of the editor, and every action is counted. One action is a
 * click, a double-click, a drag, a key with its modifiers, a text typed into one field, a choice in an open list, or a scroll to what
 * is not on the screen yet. Waiting for the editor is none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Browser } from '../browser';
import { type MovingPicture, updatesPictures } from '../moving-picture';

export type Target = string | Locator;

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Looks {
  /** A frame before each action, with the pointer where it happens. */
  readonly film?: MovingPicture;
  /** In front of the names of pictures, where they show another language or theme. */
  readonly prefix?: string;
}

export class Person {
  readonly actions: string[] = [];
  readonly page: Page;

  constructor(
    private readonly browser: Browser,
    private readonly looks: Looks = {},
  ) {
    this.page = browser.page;
  }

  async click(what: string, target: Target): Promise<void> {
    const part = await this.find(target);
    this.count(`click ${what}`);
    await part.click();
  }

  async doubleClick(what: string, target: Target): Promise<void> {
    const part = await this.find(target);
    this.count(`double-click ${what}`);
    await part.dblclick();
  }

  /** From the palette to a point of the canvas, or from a port to a port. */
  async drag(what: string, from: Target, to: Target, point?: Point): Promise<void> {
    const part = await this.find(from);
    this.count(`drag ${what}`);
    await part.dragTo(this.locate(to), point === undefined ? {} : { targetPosition: point });
  }

  /** Replaces what the field contains: a click into the field belongs to it. */
  async type(what: string, target: Target, text: string): Promise<void> {
    const part = await this.find(target);
    this.count(`type ${what}`);
    await part.click({ clickCount: 3 });
    await this.page.keyboard.type(text);
  }

  /** Types where the focus is. */
  async write(what: string, text: string): Promise<void> {
    this.count(`type ${what}`);
    await this.page.keyboard.type(text);
  }

  async key(what: string, combination: string): Promise<void> {
    await this.page.waitForFunction(isAtRest);
    await this.frame(900);
    this.count(`press ${combination} (${what})`);
    await this.page.keyboard.press(combination);
  }

  /** Two actions: the list of a select box opens on one click, and closes on the next. */
  async choose(what: string, target: Target, value: string): Promise<void> {
    const part = await this.find(target);
    this.count(`open ${what}`);
    await part.click();
    this.count(`choose ${value}`);
    await part.selectOption(value);
  }

  /** Into the address bar. */
  async goTo(what: string, address: string): Promise<void> {
    await this.frame(1_500);
    this.count(`open ${what}`);
    await this.page.goto(address, { waitUntil: 'domcontentloaded' });
  }

  /** The pointer goes there, as it does before a click. */
  async look(target: Target): Promise<void> {
    await (await this.find(target)).hover();
  }

  /** An action outside the browser. */
  count(action: string): void {
    this.actions.push(action);
  }

  async picture(name: string, part?: string): Promise<void> {
    await this.browser.picture(`${this.looks.prefix ?? ''}${name}`, part);
  }

  async frame(ms: number, { pointer = true } = {}): Promise<void> {
    await this.looks.film?.frame(ms, { pointer });
  }

  private locate(target: Target): Locator {
    return typeof target === 'string' ? this.page.locator(target).first() : target;
  }

  /** Waits until it is there and at rest, and scrolls to it where it is not to be seen. */
  private async find(target: Target): Promise<Locator> {
    const part = this.locate(target);
    await part.waitFor();
    await this.atRest(part);
    if (!(await part.evaluate(isOnScreen))) {
      this.count('scroll');
      await part.scrollIntoViewIfNeeded();
    }
    if (updatesPictures && this.looks.film !== undefined) await part.hover();
    await this.frame(900);
    return part;
  }

  /** Dialogs slide in, and trees unfold: who waits for it knows where it ends. */
  private async atRest(part: Locator): Promise<void> {
    let last = '';
    for (;;) {
      const box = JSON.stringify(await part.boundingBox());
      if (box === last && (await this.page.evaluate(isAtRest))) return;
      last = box;
      await sleep(60);
    }
  }
}

/** Nothing moves by a transition of the style sheet or an animation of jQuery; what turns for ever does not count. */
function isAtRest(): boolean {
  const { $ } = window as { $?: (selector: string) => ArrayLike<Element> };
  const ends = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  return ends.length === 0 && ($ === undefined || $(':animated').length === 0);
}

/** Whether its middle is in the window, and no box with a scroll bar cuts it off. */
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
