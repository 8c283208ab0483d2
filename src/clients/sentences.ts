/** The English messages of failures: what happened, why, and what to do. The nodes have them in the user's language. */
import type { Transport } from './client';
import type { EndpointName, ErrorCode, Failure } from '../errors';

export interface SentenceFacts {
  readonly endpoint: EndpointName;
  readonly alias: string | null;
  readonly seconds: number;
}

type Table = Readonly<Record<string, string>>;

/** By code, then by reason. `{who}` is the monitor or the service. */
const sentences: Readonly<Record<ErrorCode, Table>> = {
  AUTH: {
    denied:
      '{who} refused the API key (status {status}). It is wrong or not meant for this monitor: check the key of the connection.',
    local_access:
      'The monitor refused access from the network (status {status}). Allow local access in its own settings.',
    local_role:
      'The monitor refused access (status {status}). In its own settings, give the local role more than "no access".',
  },
  ALIAS: {
    not_supported: '{who} does not offer "{alias}" here (status {status}). Choose another meter.',
    no_meter: 'The monitor has no meter "{alias}". Choose one of the meters that it lists.',
    no_channel: 'The monitor does not know this meter and channel. Choose one of those that it lists.',
  },
  UPSTREAM_TIMEOUT: {
    status: '{who} could not answer in time (status 408). It is busy or does not reach the monitor: try again later.',
  },
  MONITOR_OFFLINE: {
    status: '{who} cannot reach the monitor (status 502). Check that the monitor has power and is on the internet.',
  },
  UPSTREAM: { status: '{who} reported a fault of its own (status {status}). Try again later.' },
  RATE: { status: '{who} received too many requests (status 429). Ask less often.' },
  PROMISE_EXPIRED: {
    no_data: 'The monitor did not deliver the promised data in time. It is slow or offline: try again later.',
  },
  NETWORK: {
    refused: '{who} refused the connection. Check the address and port, and that it is switched on.',
    name_not_found: 'The name in the address is not known to the network. Check its spelling, or use the IP address.',
    name_service: 'The name service of the network (DNS) does not answer. Check the network of this machine.',
    unreachable: 'The network has no way to {whom}. Check the address, the cable and the router.',
    reset: '{who} broke off the connection. It may be restarting: try again later.',
    timeout: '{who} did not answer. Check that it is switched on and reachable from this machine.',
    address_refused:
      'The name of the host leads outside the local network, and is not connected to. Use the local IP address of the monitor.',
    other: 'The connection to {whom} failed ({errno}). Check the network of this machine.',
  },
  TLS: {
    expired:
      'The certificate of {whom} has expired. Check the clock of this machine, else inform whoever runs the service.',
    not_yet_valid: 'The certificate of {whom} is not valid yet. Check the clock of this machine.',
    self_signed: 'The certificate of {whom} is signed by nobody this machine trusts. Check the base address.',
    unknown_issuer:
      'The certificate of {whom} was issued by nobody this machine trusts. Check the base address, or install the issuer.',
    wrong_host: 'The certificate belongs to another host than the base address names. Check the base address.',
    handshake:
      'No secure connection with {whom} came about. Check the base address and anything between that inspects traffic.',
  },
  DEADLINE: {
    no_answer:
      '{who} gave no complete answer within {seconds} s. Raise the deadline of the connection, or try again later.',
    promise:
      'The monitor did not deliver the promised data within {seconds} s. Raise the deadline of the connection, or try again later.',
  },
  BAD_PAYLOAD: {
    empty: '{who} answered without any content. Try again later.',
    html: 'A web page came instead of data. Check the address, and whether a login page of the network stands in between.',
    utf8: 'The answer is damaged: it is not UTF-8. Try again later.',
    json: 'The answer is damaged or cut off: it is not JSON. Try again later.',
    plain_keys: 'The answer holds names that could harm this program, and was dropped. Check the address.',
    shallow_nesting: 'The answer is nested too deeply, and was dropped. Check the address.',
    shape:
      'The answer is not what the interface describes: at {path} should be {expected}. Check for a newer version of this package.',
    compressed: 'The answer came compressed although that was not asked for. Check for a proxy in between.',
    not_http: 'What answers at this address does not speak HTTP. Check the address and port.',
    unknown_status: 'The answer has a status that does not exist ({status}). Check the address and port.',
  },
  TOO_LARGE: {
    body: 'The answer is larger than any honest one, and was dropped. Check the address.',
    headers: 'The headers of the answer are larger than any honest ones, and were dropped. Check the address.',
  },
  REDIRECT: {
    redirect: '{who} wants to send the request elsewhere ({host}), which is not followed. Check the address.',
  },
  NOT_A_MONITOR: {
    no_root: 'Something answers at this address, but it is no CEMM monitor. Check the host of the connection.',
    no_public_api:
      'Something answers at this address, but without the public API of a CEMM 3.0. Check the host of the connection, and that the local role of the monitor is not "no access".',
  },
  WRONG_MONITOR: {
    other_mac:
      'Another monitor ({found}) answers at this address than the one expected ({expected}). Check the host, or the MAC address of the connection.',
  },
  CANCELLED: {
    stopped: 'The request was stopped.',
    closed: 'The request was stopped, because the connection was closed.',
  },
  CONFIG: {
    not_found: '{who} does not know this address (status 404). Check the base address and the monitor.',
    proxy: 'A proxy wants a login (status 407). Check the proxy settings of this machine.',
    mode_public:
      'A CEMM 3.0 answers at this address, which has no Open API. Choose the mode "public API" in the connection.',
    mode_local:
      'A CEMM before 3.0 answers at this address, which has no public API. Choose the mode "local" in the connection.',
  },
  INPUT: {
    monitor: 'The monitor is not named by a MAC address. Use 12 hexadecimal digits, such as 001EC08596CC.',
    alias:
      'The meter is not a valid alias. Use at most 32 letters, digits, hyphens and underscores, such as p1 or s01.',
    time: 'The time is not a whole number of seconds between 2010 and 2100.',
    channel:
      'The channel is not named as <meter>:<channel> or by a number. Choose one of those that the monitor lists.',
    resolution: 'The resolution is not a word, such as day.',
    count: 'The count is not a whole number from 1 to {most}.',
    include: 'What to include is not a word, such as cemm.',
    other_monitor:
      'The connection belongs to another monitor ({expected}) than the one asked for ({asked}). Leave the monitor blank, or use another connection.',
  },
  UNSUPPORTED: {
    unexpected:
      'This is a fault of the package itself ({kind} at {place}, version {version}). Please report it with these words.',
    request_refused: '{who} refused the request (status {status}). Check for a newer version of this package.',
    local_totals:
      'A monitor keeps no meter readings of other days. Use a remote connection, or the realtime node for the current readings.',
    timeseries_refused:
      'The monitor refused the question for a time series (status {status}). Check channel, resolution and count.',
  },
};

export function sentence(failure: Failure, facts: SentenceFacts, transport: Transport): string {
  const table = sentences[failure.code];
  const template = (Object.hasOwn(table, failure.reason) ? table[failure.reason] : undefined) ?? failure.code;
  const words: Readonly<Record<string, string | number | null | undefined>> = {
    who: transport === 'remote' ? 'The service' : 'The monitor',
    whom: transport === 'remote' ? 'the service' : 'the monitor',
    alias: facts.alias,
    seconds: facts.seconds,
    status: failure.status,
    ...failure.params,
  };
  return template.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word] ?? '?'));
}
