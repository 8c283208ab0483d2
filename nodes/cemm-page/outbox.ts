/** The messages that each viewer has been sent: only what it asked for, each change once, at most one message a second. */
import type { Version } from './answers';
import type { Language } from './page/languages';
import type { PageMessage } from './page/messages';
import { textsOfPage } from './texts';
import type { Signed, Viewer } from './viewers';

const pauseMs = 1_000;
/** The count of a question's requests is sent only from this age on: its message would hold the answer back for a second. */
const quietMs = 1_000;
/** The rest follows a second later. A single answer is never larger. */
const mostBytes = 512 * 1024;

export type Header = Omit<PageMessage, 'answers' | 'texts'>;

interface Sent {
  /** Epoch ms of the last message. */
  readonly at: number;
  /** As it was in the last message; blank: the viewer needs it. */
  readonly header: string;
  /** Since when the viewer waits for its first message. */
  readonly since: number;
  /** Key → version, of what it looks at. */
  readonly versions: ReadonlyMap<string, number>;
  /** Languages whose texts it has asked for since the last message. */
  readonly lacks: ReadonlySet<Language>;
}

interface SignedFor extends Signed {
  /** The language whose texts the page lacks. */
  readonly lacked: Language | undefined;
}

export class Outbox {
  /** By socket. */
  private readonly sent = new Map<string, Sent>();

  /** A page that was opened has nothing yet, and one may have forgotten what it did not look at. */
  signed(socket: string, { isNewPage, added, lacked }: SignedFor, now: number): void {
    const before = this.sent.get(socket);
    const versions = new Map(before?.versions);
    for (const key of added) versions.delete(key);
    const since = isNewPage ? now : (before?.since ?? now);
    this.sent.set(socket, {
      at: before?.at ?? -Infinity,
      header: isNewPage ? '' : (before?.header ?? ''),
      since,
      versions,
      lacks: new Set([...(before?.lacks ?? []), ...(lacked === undefined ? [] : [lacked])]),
    });
  }

  /** After a deploy, templates may be new. */
  deployed(): void {
    for (const [socket, sent] of this.sent) this.sent.set(socket, { ...sent, header: '', versions: new Map() });
  }

  forgetOthers(viewers: readonly Viewer[]): void {
    const sockets = new Set(viewers.map(({ client }) => client.socket));
    for (const socket of this.sent.keys()) if (!sockets.has(socket)) this.sent.delete(socket);
  }

  /**
   * The next message to a viewer; null if there is nothing new, or the last one was less than a second ago. A page that was opened
   * gets its answers at once; without any, a message without answers after a second.
   */
  next(
    { client, wants }: Viewer,
    { header, answerTo }: { readonly header: Header; readonly answerTo: (key: string) => Version | null },
    now: number,
  ): PageMessage | null {
    const sent = this.sent.get(client.socket);
    // A clock that was set back must not end the messages.
    if (sent === undefined || (now >= sent.at && now - sent.at < pauseMs)) return null;
    const headerText = JSON.stringify(header);
    const changed = wants.flatMap((want) => {
      const answer = answerTo(want.key);
      if (answer === null || answer.version === sent.versions.get(want.key)) return [];
      return isQuiet(answer, now) ? [] : [{ ...want, ...answer }];
    });
    const lacks = [...sent.lacks];
    const isHeaderNew = headerText !== sent.header || lacks.length > 0;
    const isHeaderDue = isHeaderNew && (sent.header !== '' || now - sent.since >= pauseMs);
    if (changed.length === 0 && !isHeaderDue) return null;
    let bytes = 0;
    const answers = changed.filter((one, index) => (bytes += one.bytes) <= mostBytes || index === 0);
    const wanted = new Set(wants.map(({ key }) => key));
    const versions = new Map([...sent.versions].filter(([key]) => wanted.has(key)));
    for (const { key, version } of answers) versions.set(key, version);
    this.sent.set(client.socket, { ...sent, at: now, header: headerText, versions, lacks: new Set() });
    return {
      ...header,
      ...(lacks.length > 0 && { texts: Object.fromEntries(lacks.map((one) => [one, textsOfPage[one]])) }),
      answers: Object.fromEntries(answers.map(({ name, answer }) => [name, answer])),
    };
  }
}

function isQuiet({ answer }: Version, now: number): boolean {
  return answer.state === 'waiting' && now >= answer.since && now - answer.since < quietMs;
}
