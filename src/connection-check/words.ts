/**
 * The words a check may answer with. Those in capitals are error codes of contract.md section 3, some with their reason,
 * and the nodes have a sentence for each; only numbers are told with them.
 */
import { errorCodes, type ErrorCode } from '../clients/errors';
import { Slip, type Values } from './ladder';

/** Reasons whose sentence says more than that of the code alone, and needs no text from outside. */
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

/** Words of the check itself. */
export const ladderWords = [
  'not_needed',
  'not_reached',
  'proxy',
  'no_time',
  'clock_ahead',
  'clock_behind',
  'data_old',
] as const;

export interface Fault {
  readonly code: ErrorCode;
  readonly reason?: string | null | undefined;
  readonly status?: number | null | undefined;
  readonly elapsedMs?: number | undefined;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}

export function wordOf({ code, reason }: Fault): string {
  const exact = `${code}_${reason ?? ''}`;
  return failureWords.includes(exact) ? exact : code;
}

export function slipOf(fault: Fault): Slip {
  return new Slip(wordOf(fault), numbersOf(fault));
}

/** The numbers of a failure: all that is told of it besides its word. */
export function numbersOf({ status, elapsedMs, params = {} }: Fault): Values {
  const numbers = Object.entries(params).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && /^[a-z]\w{0,19}$/i.test(entry[0]),
  );
  return {
    ...Object.fromEntries(numbers),
    ...(typeof status === 'number' && { status }),
    ...(elapsedMs !== undefined && { seconds: Math.round(elapsedMs / 1000) }),
  };
}
