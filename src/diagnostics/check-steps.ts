/** The steps of a connection check, their results, and the result codes. The nodes have a message for each code. */
import { type ErrorCode, errorCodes } from '../errors';

/** The steps in the order in which they run. */
export const checkSteps = ['name', 'tcp', 'tls', 'http', 'monitor', 'key', 'inventory', 'clock'] as const;

export type CheckStepName = (typeof checkSteps)[number];

export interface CheckStepResult {
  readonly step: CheckStepName;
  readonly state: 'ok' | 'failed' | 'skipped';
  /** Duration; null when the step did not run. */
  readonly ms: number | null;
  /** Why it failed or was skipped, as a result code; null when it is ok. */
  readonly word: string | null;
  /** Numbers for the message: counts, seconds, a status. Never an address, a name or a key. */
  readonly values: Readonly<Record<string, number>>;
}

export type StepValues = CheckStepResult['values'];

/** Collects results; skips the steps after the first failure. */
export class CheckSteps {
  private readonly results: CheckStepResult[] = [];
  private broken = false;

  constructor(private readonly now: () => number) {}

  skip(step: CheckStepName, word: 'not_needed' | 'not_reached' | 'proxy' | 'no_time'): void {
    this.results.push({ step, state: 'skipped', ms: null, word: this.broken ? 'not_reached' : word, values: {} });
  }

  /** Runs the step unless an earlier one failed. `work` returns the values of success and throws a StepFailure. */
  async run(step: CheckStepName, work: () => Promise<StepValues>): Promise<void> {
    if (this.broken) {
      this.skip(step, 'not_reached');
      return;
    }
    const startedAt = this.now();
    const ms = (): number => Math.round(this.now() - startedAt);
    try {
      const values = await work();
      this.results.push({ step, state: 'ok', ms: ms(), word: null, values });
    } catch (thrown) {
      if (!(thrown instanceof StepFailure)) throw thrown;
      this.broken = true;
      this.results.push({ step, state: 'failed', ms: ms(), word: thrown.word, values: thrown.values });
    }
  }

  get result(): readonly CheckStepResult[] {
    return this.results;
  }
}

/** The failure of a step: a result code with its numbers. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';

  constructor(
    readonly word: string,
    readonly values: StepValues = {},
  ) {
    super(word);
  }
}

/** Reasons that have a message of their own; it needs no text from the other side. */
const reasons = [
  'ALIAS_no_meter',
  'AUTH_local_access',
  'AUTH_local_role',
  'BAD_PAYLOAD_empty',
  'BAD_PAYLOAD_html',
  'BAD_PAYLOAD_json',
  'BAD_PAYLOAD_not_http',
  'CONFIG_base_address',
  'CONFIG_base_blank',
  'CONFIG_base_credentials',
  'CONFIG_base_query',
  'CONFIG_base_scheme',
  'CONFIG_base_version',
  'CONFIG_deadline',
  'CONFIG_host_blank',
  'CONFIG_host_credentials',
  'CONFIG_host_name',
  'CONFIG_host_not_local',
  'CONFIG_host_number',
  'CONFIG_host_path',
  'CONFIG_host_port',
  'CONFIG_host_scheme',
  'CONFIG_host_zone',
  'CONFIG_mac',
  'CONFIG_mode',
  'CONFIG_mode_local',
  'CONFIG_mode_public',
  'CONFIG_no_key',
  'CONFIG_not_found',
  'CONFIG_proxy',
  'CONFIG_timezone',
  'DEADLINE_promise',
  'INPUT_no_meters',
  'INPUT_no_monitors',
  'NETWORK_address_refused',
  'NETWORK_demo_start',
  'NETWORK_name_not_found',
  'NETWORK_name_service',
  'NETWORK_no_internet',
  'NETWORK_no_interface',
  'NETWORK_no_socket',
  'NETWORK_refused',
  'NETWORK_reset',
  'NETWORK_timeout',
  'NETWORK_unreachable',
  'NOT_A_MONITOR_no_public_api',
  'TLS_expired',
  'TLS_not_yet_valid',
  'TLS_self_signed',
  'TLS_unknown_issuer',
  'TLS_wrong_host',
] as const;

export const failureWords: readonly string[] = [...errorCodes, ...reasons];

/** Result codes of the check itself. The others are error codes (src/errors.ts), some with a reason. */
export const resultCodes = [
  'not_needed',
  'not_reached',
  'proxy',
  'no_time',
  'clock_ahead',
  'clock_behind',
  'data_old',
] as const;

interface Fault {
  readonly code: ErrorCode;
  readonly reason?: string | null | undefined;
  readonly status?: number | null | undefined;
  readonly elapsedMs?: number | undefined;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}

export function findFailureCode({ code, reason }: Fault): string {
  const exact = `${code}_${reason ?? ''}`;
  return failureWords.includes(exact) ? exact : code;
}

export function failureOf(fault: Fault): StepFailure {
  return new StepFailure(findFailureCode(fault), numbersOf(fault));
}

/** The numbers of a failure, for its message. */
export function numbersOf({ status, elapsedMs, params = {} }: Fault): StepValues {
  const numbers = Object.entries(params).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && /^[a-z]\w{0,19}$/i.test(entry[0]),
  );
  return {
    ...Object.fromEntries(numbers),
    ...(typeof status === 'number' && { status }),
    ...(elapsedMs !== undefined && { seconds: Math.round(elapsedMs / 1000) }),
  };
}
