/** What the admin routes of this node answer, checked again in the browser: a proxy may put a page of its own in between. */
export interface ListedDelivery {
  readonly at: number;
  readonly status: number;
  readonly word: string;
  readonly bytes: number | null;
  readonly remote: string | null;
}

export interface TestAnswer {
  /** Null where nothing answered. */
  readonly status: number | null;
  readonly text: string;
  /** The `error` word of the answer, or why there was none. */
  readonly word: string | null;
  readonly ms: number;
}

export function readDeliveries(answer: unknown): ListedDelivery[] {
  const list = memberOf(answer, 'deliveries');
  return (Array.isArray(list) ? (list as unknown[]) : []).map((entry) => ({
    at: numberOf(memberOf(entry, 'at')) ?? 0,
    status: numberOf(memberOf(entry, 'status')) ?? 0,
    word: textOf(memberOf(entry, 'word')),
    bytes: numberOf(memberOf(entry, 'bytes')),
    remote: textOf(memberOf(entry, 'remote')) || null,
  }));
}

export function readTestAnswer(answer: unknown): TestAnswer {
  const text = textOf(memberOf(answer, 'answer'));
  const failure = textOf(memberOf(answer, 'failure'));
  return {
    status: numberOf(memberOf(answer, 'status')),
    text,
    word: failure || textOf(memberOf(parsed(text), 'error')) || null,
    ms: numberOf(memberOf(answer, 'ms')) ?? 0,
  };
}

/** The word an admin route refused with. */
export function readRefusal(answer: unknown): string {
  return textOf(memberOf(answer, 'error')) || 'no_answer';
}

export function readHasNodeAuth(answer: unknown): boolean {
  return memberOf(answer, 'auth') === true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
