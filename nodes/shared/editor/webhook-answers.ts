/** What the admin routes of the webhook node answer, checked again in the browser: a proxy may put a page of its own in between. */
import { listMember, numberMember, textMember } from './admin-call';

export interface ListedDelivery {
  readonly at: number;
  readonly status: number;
  readonly word: string;
  readonly bytes: number | null;
  readonly remote: string | null;
  /** Where the path holds parameters. */
  readonly installation: string | null;
}

export interface TestAnswer {
  /** Null where nothing answered. */
  readonly status: number | null;
  readonly text: string;
  /** The `error` word of the answer, or why there was none. */
  readonly word: string | null;
  readonly ms: number;
}

export function readDeliveries(answer: unknown, kind: 'accepted' | 'refused'): ListedDelivery[] {
  return listMember(answer, kind).map((entry) => ({
    at: numberMember(entry, 'at') ?? 0,
    status: numberMember(entry, 'status') ?? 0,
    word: textMember(entry, 'word') ?? '',
    bytes: numberMember(entry, 'bytes'),
    remote: textMember(entry, 'remote'),
    installation: textMember(entry, 'installation'),
  }));
}

export function readTestAnswer(answer: unknown): TestAnswer {
  const text = textMember(answer, 'answer') ?? '';
  return {
    status: numberMember(answer, 'status'),
    text,
    word: textMember(answer, 'failure') ?? textMember(parsed(text), 'error'),
    ms: numberMember(answer, 'ms') ?? 0,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
