/** Records the next deliveries of a deployed node, and makes a report of them. Loaded with the first request of a dialog. */
import { packageVersion } from '../../src/errors';
import type { DeliveryRecorder } from '../../src/report/delivery-recorder';
import { reportOfDeliveries } from '../../src/report/report';
import { fileOf } from '../../src/report/report-file';

export interface NodeRecording {
  readonly recorder: DeliveryRecorder;
  /** The keys of the node. The report may not contain them. */
  readonly keys: readonly string[];
  readonly timezone: () => string;
}

interface RecordAnswer {
  readonly isRecording: boolean;
  readonly count: number;
}

interface ReportAnswer extends RecordAnswer {
  /** Null if no delivery has come. */
  readonly file: string | null;
}

/** @param recording null for a node that is not deployed */
export function stateOf(recording: NodeRecording | null): RecordAnswer {
  const { isRecording = false, deliveries = [] } = recording?.recorder ?? {};
  return { isRecording, count: deliveries.length };
}

/** A running recording is not started again. */
export function startRecording(recording: NodeRecording): RecordAnswer {
  const { recorder } = recording;
  if (!recorder.isRecording) recorder.record();
  return stateOf(recording);
}

/** The whole file: the user reads it before it is saved. A recording continues. */
export async function makeRecordingReport(recording: NodeRecording): Promise<ReportAnswer> {
  const { recorder, keys, timezone } = recording;
  const deliveries = [...recorder.deliveries];
  const state = stateOf(recording);
  if (deliveries.length === 0) return { ...state, file: null };
  const options = { timezone: timezone(), version: packageVersion(), keys };
  return { ...state, file: fileOf(await reportOfDeliveries(deliveries, options)) };
}
