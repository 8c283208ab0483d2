/** Tells a page how many of the requests for its question are done, beside the messages of the flow, which carry answers only. */
import type { NodeAPI } from 'node-red';

type Events = Pick<NodeAPI['events'], 'on' | 'emit' | 'removeListener'>;

const eventName = 'cemm:progress';

export interface Progress {
  /** As in the question. */
  readonly question: string | number;
  /** Requests. */
  readonly done: number;
  readonly all: number;
}

export function tellProgress(events: Events, progress: Progress): void {
  events.emit(eventName, progress);
}

/** @returns ends it */
export function onProgress(events: Events, listen: (progress: Progress) => void): () => void {
  events.on(eventName, listen);
  return () => {
    events.removeListener(eventName, listen);
  };
}
