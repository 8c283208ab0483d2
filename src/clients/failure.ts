/** Why a request or a question failed, as plain values: what becomes a CemmError at the very end (question.ts). */
import type { ErrorCode } from './errors';

export interface Failure {
  readonly code: ErrorCode;
  /** Tells apart the causes under one code; selects the sentence. */
  readonly reason: string;
  readonly status?: number;
  readonly params?: Readonly<Record<string, string | number>>;
}
