/** Where a balance comes from, of all that it was made of. */
import type { SourceInfo } from '../model/payload';

/** Requests and promises add up; it is as old as the newest part, and took as long as all of them. */
export function joinSources(sources: readonly SourceInfo[], now: number): SourceInfo {
  const sum = (value: (source: SourceInfo) => number): number =>
    sources.reduce((total, source) => total + value(source), 0);
  return {
    transport: sources[0]?.transport ?? 'webhook',
    fetchedAt: sources.reduce((newest, { fetchedAt }) => Math.max(newest, fetchedAt), 0) || now,
    latencyMs: sum(({ latencyMs }) => latencyMs),
    requests: sum(({ requests }) => requests),
    promises: sum(({ promises }) => promises),
  };
}
