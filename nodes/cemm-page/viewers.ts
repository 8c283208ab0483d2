/** The browsers that show the page, known by their signs of life. No viewer and no address takes the place of the others. */
import { createHash } from 'node:crypto';
import { billText, buildQuestionKey, type Question, type ViewerMessage } from './page/messages';
import type { Client } from './viewer-message';

/** Viewers send a sign every 20 s. */
const aliveMs = 60_000;
const mostViewers = 100;
/** Pages in one tab of a browser, such as two templates of one page; many where Dashboard does not name the browsers. */
const mostPages = { named: 4, unnamed: 50 } as const;
/** Questions whose answers a viewer gets. */
const mostWants = 64;
const mostBytes = { ofPage: 64 * 1024, ofAll: 1024 * 1024 } as const;

/** A question of a viewer, with its names: one for the messages to that viewer, and one for everything that is kept. */
interface Want {
  /** Different questions have different keys, also invented ones: of a bill it is a SHA-256. */
  readonly key: string;
  /** `buildQuestionKey(question)`. */
  readonly name: string;
  readonly question: Question;
  /** Memory that it takes, about. */
  readonly bytes: number;
}

interface Page {
  readonly seenAt: number;
  readonly wants: readonly Want[];
}

interface Known {
  readonly client: Client;
  /** By the name that each page gives itself; the one that was silent for longest is the first. */
  readonly pages: Map<string, Page>;
}

export interface Viewer {
  readonly client: Client;
  /** The questions of its page, the most important first. */
  readonly wants: readonly Want[];
}

/** A question, and one of the viewers that ask it. */
export interface Wanted extends Want {
  readonly client: Client;
}

export interface Signed {
  /** The page was opened, so it has no answers yet. */
  readonly isNewPage: boolean;
  /** Keys of the questions that this page did not ask before. */
  readonly added: readonly string[];
}

export class Viewers {
  /** By socket; the one that was silent for longest is the first. */
  private readonly known = new Map<string, Known>();

  noteSign(client: Client, { viewer: name, wants, gone }: ViewerMessage, now: number): Signed {
    this.forgetSilent(now);
    const { pages } = this.known.get(client.socket) ?? { pages: new Map<string, Page>() };
    const before = pages.get(name);
    pages.delete(name);
    this.known.delete(client.socket);
    const page = { seenAt: now, wants: thatFit(wants.map(nameQuestion)) };
    if (gone !== true) pages.set(name, page);
    if (pages.size > (client.socket === '' ? mostPages.unnamed : mostPages.named)) dropFirst(pages);
    if (pages.size > 0) this.known.set(client.socket, { client, pages });
    this.dropAboveLimit();
    const asked = new Set(before?.wants.map(({ key }) => key));
    return {
      isNewPage: before === undefined && gone !== true,
      added: page.wants.map(({ key }) => key).filter((key) => !asked.has(key)),
    };
  }

  count(now: number): number {
    this.forgetSilent(now);
    return [...this.known.values()].reduce(
      (sum, { client, pages }) => sum + (client.socket === '' ? pages.size : 1),
      0,
    );
  }

  living(now: number): Viewer[] {
    this.forgetSilent(now);
    return [...this.known.values()].map(viewerOf);
  }

  /** The questions of one browser. */
  listWants({ socket }: Client): readonly Want[] {
    const known = this.known.get(socket);
    return known === undefined ? [] : viewerOf(known).wants;
  }

  /** The questions of each address in turn, and within it of each viewer in turn, the most important one first. */
  wanted(now: number): Wanted[] {
    this.forgetSilent(now);
    return inTurns(
      [...this.byAddress().values()].map((viewers) =>
        inTurns(viewers.map(viewerOf).map(({ client, wants }) => wants.map((want) => ({ ...want, client })))),
      ),
    );
  }

  private byAddress(): Map<string, Known[]> {
    const addresses = new Map<string, Known[]>();
    for (const viewer of this.known.values()) {
      const { address } = viewer.client;
      addresses.set(address, [...(addresses.get(address) ?? []), viewer]);
    }
    return addresses;
  }

  private forgetSilent(now: number): void {
    for (const [socket, { pages }] of this.known) {
      for (const [name, { seenAt }] of pages) if (now - seenAt >= aliveMs) pages.delete(name);
      if (pages.size === 0) this.known.delete(socket);
    }
  }

  private dropAboveLimit(): void {
    if (this.known.size > mostViewers) this.dropOfLargest(({ length }) => length);
    while (bytesOf([...this.known.values()]) > mostBytes.ofAll) this.dropOfLargest(bytesOf);
  }

  /** The largest address gives way, with the viewer that was silent for longest. */
  private dropOfLargest(sizeOf: (viewers: readonly Known[]) => number): void {
    const [largest = []] = [...this.byAddress().values()].sort((a, b) => sizeOf(b) - sizeOf(a));
    for (const { client } of largest.slice(0, 1)) this.known.delete(client.socket);
  }
}

function viewerOf({ client, pages }: Known): Viewer {
  const wants = inTurns([...pages.values()].map((page) => page.wants));
  return { client, wants: [...new Map(wants.map((want) => [want.key, want])).values()].slice(0, mostWants) };
}

function bytesOf(viewers: readonly Known[]): number {
  const wants = viewers.flatMap(({ pages }) => [...pages.values()].flatMap((page) => page.wants));
  return wants.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The first questions, as many as there is room for. */
function thatFit(wants: readonly Want[]): Want[] {
  let bytes = 0;
  return wants.filter((want) => (bytes += want.bytes) <= mostBytes.ofPage);
}

function dropFirst(map: Map<string, unknown>): void {
  for (const key of [...map.keys()].slice(0, 1)) map.delete(key);
}

export function nameQuestion(question: Question): Want {
  const name = buildQuestionKey(question);
  if (question.balance !== 'bill') return { key: name, name, question, bytes: 2 * name.length };
  const text = billText(question);
  const key = `bill ${createHash('sha256').update(text).digest('base64url')}`;
  return { key, name, question, bytes: 2 * (key.length + text.length) };
}

/** The first of each list, then the second of each, and so on. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, place) => place).flatMap((place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  );
}
