/** The browsers that show the page, known by their signs of life. */
import { keyOf, type Question, type ViewerMessage } from './page/messages';

/** Viewers send a sign every 20 s. */
const aliveMs = 60_000;
const mostViewers = 50;

interface Viewer {
  readonly seenAt: number;
  readonly wants: readonly Question[];
}

export class Viewers {
  private readonly known = new Map<string, Viewer>();

  /** True if the viewer is new or wants something else. */
  sign({ viewer, wants, gone }: ViewerMessage, now: number): boolean {
    const before = this.living(now).get(viewer);
    this.known.delete(viewer);
    if (gone === true) return false;
    this.known.set(viewer, { seenAt: now, wants });
    const [oldest = ''] = this.known.keys();
    if (this.known.size > mostViewers) this.known.delete(oldest);
    return before === undefined || textOf(before.wants) !== textOf(wants);
  }

  count(now: number): number {
    return this.living(now).size;
  }

  /** Everything that living viewers look at: first what is most important to each of them, by `keyOf`. */
  wants(now: number): Map<string, Question> {
    const lists = [...this.living(now).values()].map(({ wants }) => wants);
    const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
    const wanted = new Map<string, Question>();
    for (let place = 0; place < longest; place += 1) {
      for (const list of lists) {
        const question = list[place];
        if (question !== undefined && !wanted.has(keyOf(question))) wanted.set(keyOf(question), question);
      }
    }
    return wanted;
  }

  private living(now: number): Map<string, Viewer> {
    for (const [viewer, { seenAt }] of this.known) if (now - seenAt >= aliveMs) this.known.delete(viewer);
    return this.known;
  }
}

function textOf(wants: readonly Question[]): string {
  return wants.map(keyOf).join('\n');
}
