/**
 * The English sentences of errors, by code or by code and reason; the other languages are in nodes/lib/locales. An option has its name in programs:
 * in dialogs `host` is “Address”. A program reads neither “in the connection” nor “of the connection” after it.
 */
export const sentences: Readonly<Record<string, string>> = {
  AUTH: 'The service refuses the API key. Check `apiKey` in the connection, and ask CEMM whether the key is valid for this monitor.',
  ALIAS: 'The meter {alias} does not support this request. Choose another one in `alias`, such as p1 or p1-gas.',
  UPSTREAM_TIMEOUT:
    'The service did not get an answer in time (408). Try again later; check whether the monitor is online.',
  MONITOR_OFFLINE: 'The service cannot reach the monitor (502). Check the monitor’s power and internet connection.',
  UPSTREAM: 'The service reports a fault of its own ({status}). There is nothing to change here; try again later.',
  RATE: 'The service receives too many requests. Enter more seconds in `interval`.',
  RATE_queue_full:
    'Too many different requests are waiting for this connection ({limit}). Send fewer messages at a time, or enter more seconds in `interval`.',
  PROMISE_EXPIRED:
    'The monitor did not deliver the data to the service in time. Try again; if it stays so, check the monitor’s internet connection.',
  NETWORK: 'The network connection failed. Check `host` or `baseUrl` in the connection, the cable and the router.',
  NETWORK_refused:
    'Nothing answers at this address and port. Check `host` or `baseUrl` in the connection, and whether the monitor is switched on.',
  NETWORK_name_not_found:
    'The name in `host` or `baseUrl` is not known. Check its spelling in the connection, or enter the IP address.',
  NETWORK_name_service: 'The name service does not answer. Check the network of this machine, or use the IP address.',
  NETWORK_no_internet:
    'The CEMM service is not found: this machine has no internet connection, or its name service (DNS) does not work. Check the network of this machine.',
  NETWORK_unreachable:
    'There is no route to this address. Check `host` or `baseUrl` in the connection, and whether both devices are in the same network.',
  NETWORK_reset: 'The connection was closed during the response. Try again; if it happens again, restart the monitor.',
  NETWORK_timeout:
    'The address does not answer. Check `host` or `baseUrl` in the connection, and whether the monitor is switched on.',
  NETWORK_address_refused:
    'The address is not one of a local network, so it is not contacted. Use the address of the monitor in your own network. If it runs on the same machine as Node-RED, tick `allowLoopback` in the connection.',
  NETWORK_other:
    'The network connection failed ({errno}). Check `host` or `baseUrl` in the connection, the cable and the router.',
  NETWORK_demo_start: 'The demo monitor cannot be started: no local port can be opened on this computer.',
  NETWORK_no_interface:
    'This machine has no IPv4 network to search. In a container, use host networking, or enter the address of the monitor.',
  NETWORK_no_socket:
    'No UDP socket can be opened for the search. Check whether this machine limits network access, or enter the address of the monitor.',
  TLS: 'No secure connection can be made. Check `baseUrl` in the connection and the clock of this machine.',
  TLS_expired:
    'The certificate of the service has expired. Check the clock of this machine; if it is right, the service must renew it.',
  TLS_not_yet_valid: 'The certificate of the service is not valid yet. Check the clock of this machine.',
  TLS_self_signed:
    'The certificate is self-signed and therefore not trusted. Check `baseUrl` in the connection, or make its authority known with NODE_EXTRA_CA_CERTS.',
  TLS_unknown_issuer:
    'The issuer of the certificate is not known. Check `baseUrl` in the connection, or make its authority known with NODE_EXTRA_CA_CERTS.',
  TLS_wrong_host: 'The certificate belongs to another server. Check `baseUrl` in the connection.',
  DEADLINE: 'No answer in time (after {seconds} s). Try again, or enter more seconds in `deadline` of the connection.',
  BAD_PAYLOAD:
    'The answer cannot be read. Check whether `host` or `baseUrl` in the connection really belongs to a CEMM monitor or service.',
  BAD_PAYLOAD_not_http: 'The device at this address does not speak HTTP. Check `host` and its port in the connection.',
  BAD_PAYLOAD_shape:
    'The answer is not what it should be at {path} (expected: {expected}). If the monitor was updated lately, look for an update of this package.',
  TOO_LARGE:
    'The answer is larger than a monitor ever sends, so it was not read to the end. Check `host` or `baseUrl` in the connection.',
  REDIRECT:
    'The address redirects to another one, which is not followed. Enter the final address in `host` or `baseUrl` of the connection.',
  NOT_A_MONITOR: 'The device at this address is not a CEMM monitor. Check `host` in the connection.',
  WRONG_MONITOR:
    'Another monitor answers at this address than the one that is expected. Check `host` and `mac` in the connection. If you have a new monitor, click “This is my new monitor” there.',
  CANCELLED: 'The request was ended before it was answered.',
  CANCELLED_closed:
    'The request was ended before it was answered, because the node or its connection was restarted. Send the message again.',
  CANCELLED_stopped: 'The request was stopped by a message with msg.stop.',
  CONFIG: 'The connection or the node is not set up completely. Open both and check the fields.',
  CONFIG_no_connection: 'No connection is chosen. Open the node, choose one and deploy.',
  CONFIG_connection_missing:
    'The connection of this node is deleted or disabled. Open the node, choose another one and deploy.',
  CONFIG_env_not_set: 'The environment variable {name} is not set. Set it, or enter the value itself.',
  CONFIG_needs_message:
    '“{field}” is taken from a message, but a node that reads at an interval has none. Choose another kind of value, or enter 0 in `interval`.',
  CONFIG_property: '“{field}” has a value that cannot be used. Open the node, correct the field and deploy. {why}',
  CONFIG_connection_property:
    '“{field}” in the connection has a value that cannot be used. Open the connection, correct the field and deploy. {why}',
  CONFIG_interval: '`interval` must be {floor} to {longest} seconds. Enter 0 to read only when a message arrives.',
  CONFIG_timezone: '`timezone` in the connection is not known. Choose an IANA name, such as Europe/Amsterdam.',
  CONFIG_deadline: '`deadline` in the connection must be {min} to {max} seconds.',
  CONFIG_shard:
    '`shard` in the connection must be written as part/parts, such as 2/4. Leave it blank to poll all monitors.',
  CONFIG_shard_range:
    '`shard` in the connection cannot be {shard}. Parts are counted from 1: with four of them 1/4, 2/4, 3/4 and 4/4. There are {most} at most.',
  CONFIG_no_key: '`apiKey` in the connection is blank. Enter the key that CEMM gave you.',
  CONFIG_mac: '`mac` in the connection is not valid. It has 12 hexadecimal digits, such as 00:1A:2B:3C:4D:5E.',
  CONFIG_contracts:
    '“Contracts” in the connection: “{path}” ({contract}) is missing or not valid. A contract has a name that no other one has, dates such as 2026-03-01, and prices in one currency.',
  CONFIG_contracts_overlap:
    '“Contracts” in the connection: “{other}” and “{contract}” have prices of the same medium on the same days. Give one of them another first or last day.',
  CONFIG_meters:
    '“Meters of the house” in the connection: row {row} ({meter}) cannot be used. Open the connection; the row says what is wrong.',
  CONFIG_mode: '`mode` in the connection is not known. Open it and choose how the monitor is reached.',
  CONFIG_context_store:
    'Node-RED’s context store cannot be used, so what was sent last cannot be remembered. Check contextStorage in the settings file.',
  CONFIG_not_found:
    'The address answers, but does not know this request (404). Check `host` or `baseUrl` in the connection, and `alias`.',
  CONFIG_proxy: 'A proxy asks for a password (407). Check the network settings of this machine.',
  CONFIG_host_blank: '`host` in the connection is blank. Enter the address of the monitor, such as 192.168.1.20.',
  CONFIG_host_scheme:
    'The monitor speaks plain http only. Enter in `host` the address alone, such as 192.168.1.20 or 192.168.1.20:8080.',
  CONFIG_host_credentials:
    '`host` must not have a user name or password. Enter the address alone, such as 192.168.1.20.',
  CONFIG_host_path: '`host` must not have a path or query. Enter the address alone, such as 192.168.1.20.',
  CONFIG_host_zone: '`host` must not contain a % sign. Enter the address without it.',
  CONFIG_host_port:
    'The port in `host` is not valid. Use a number from 1 to 65535 after a colon, and brackets around an IPv6 address.',
  CONFIG_host_number:
    '`host` is not a valid IP address. Write four decimal numbers from 0 to 255, such as 192.168.1.20.',
  CONFIG_host_name: '`host` is not a valid name. Use letters, digits, hyphens and dots, such as cemm.local.',
  CONFIG_base_blank: '`baseUrl` in the connection is blank. Enter its address, such as https://open-api.cemm.nl/v1/.',
  CONFIG_base_address:
    '`baseUrl` in the connection is not a web address. Enter one such as https://open-api.cemm.nl/v1/.',
  CONFIG_base_scheme:
    '`baseUrl` must start with https://. Plain http:// is for a service in your own network (private or loopback addresses): elsewhere the API key would travel unencrypted.',
  CONFIG_base_credentials: '`baseUrl` must not have a user name or password. Enter the key in `apiKey`.',
  CONFIG_base_query: '`baseUrl` must not have a query or fragment. Enter the key in `apiKey`.',
  CONFIG_base_version: '`baseUrl` must end in the version of the API, such as https://open-api.cemm.nl/v1/.',
  INPUT:
    'The message or the node contains a value that is not valid. Check the fields of the node and the properties of the message.',
  INPUT_no_alias: '`alias` is blank. Enter the short name of a meter, such as p1.',
  INPUT_no_value:
    '“{field}” has no value: what is chosen there ({type}) gives nothing. Check the name and whether it is set.',
  INPUT_not_text: '“{field}” must be a text.',
  INPUT_period: '“{field}” must be one of the words {periods}.',
  INPUT_expression: 'The JSONata expression of “{field}” fails. Open the node and try it in the expression editor.',
  INPUT_property: '“{field}” cannot be read ({type}). Check the name that is entered there.',
  INPUT_too_many_waiting: '{count} messages are waiting in this node already. Send them more slowly.',
  INPUT_not_a_date:
    '“{field}” is not a date. Write the year first, such as 2026-11-20, or use a Date object, or a number of seconds or milliseconds since 1970.',
  INPUT_no_such_date: '“{field}” is a date or time that does not exist.',
  INPUT_out_of_range: '“{field}” must lie between 2010 and 2100.',
  INPUT_not_begun: '“{field}” is {date}, which has not begun yet. Choose a date up to today.',
  INPUT_wrong_order: 'The range ends before it starts. Exchange `from` and `to`.',
  INPUT_too_many_periods: 'The range holds too many periods. Ask for a shorter one at a time.',
  INPUT_several_monitors: 'The connection has several monitors. Choose one in `monitor`: {monitors}.',
  INPUT_no_monitors:
    'No monitor is linked to this connection. Check `apiKey`, or ask CEMM to link the monitor to the key.',
  INPUT_not_a_mac: '`monitor` must be a MAC address, one of: {monitors}.',
  INPUT_unknown_monitor: 'The connection does not have the monitor {monitor}. It has: {monitors}.',
  INPUT_no_meters: 'The monitor has no activated meter that can be asked. Activate one on the monitor.',
  UNSUPPORTED: 'This connection does not support this request. Use a remote connection, or choose another request.',
  UNSUPPORTED_request_refused:
    'The monitor or the service does not accept this request ({status}). Check `host` or `baseUrl` in the connection, and look for an update of this package.',
  UNSUPPORTED_unexpected:
    'This is a fault of the package itself ({kind} at {place}, version {version}). Please report it with these words and the steps that led to it.',
  UNSUPPORTED_missing_package: 'The package {package} is missing or incomplete. Install node-red-contrib-cemm again.',
  UNSUPPORTED_current_day_only:
    'A local connection has the meter readings of the current day only. Use a remote connection for {alias} on another day.',
  INPUT_not_a_day: 'Meter readings are those of a day. Choose a date.',
  CONFIG_host_not_local:
    'The address is not one of a local network, so it is not contacted. Use the address of the monitor in your own network. If it runs on the same machine as Node-RED, tick `allowLoopback` in the connection.',
  AUTH_local_access: 'The monitor refuses access from the network ({status}). Allow local access in its own settings.',
  ALIAS_no_meter: 'The monitor has no meter “{alias}”. Choose in `alias` one of those that it lists, such as p1.',
  DEADLINE_promise:
    'The monitor did not deliver the promised data within {seconds} s. Enter more seconds in `deadline` of the connection, or try again later.',
  BAD_PAYLOAD_html: 'The response is a web page. Check the address, and whether the network asks for a login.',
  BAD_PAYLOAD_empty: 'The answer has no content. Try again later.',
  BAD_PAYLOAD_json: 'The answer is damaged or cut off: it is not JSON. Try again later.',
  WRONG_MONITOR_other_mac:
    'Another monitor ({found}) answers at this address than the one expected ({expected}). Check `host` and `mac` in the connection. If you have a new monitor, click “This is my new monitor” there.',
  INPUT_monitor: '`monitor` is not a MAC address. Use 12 hexadecimal digits, such as 001EC08596CC.',
  INPUT_alias: '`alias` is not valid. Use at most 32 letters, digits, hyphens and underscores, such as p1 or s01.',
  INPUT_other_monitor:
    'The connection belongs to another monitor ({expected}) than the one asked for ({asked}). Leave `monitor` blank, or choose another connection.',
  UNSUPPORTED_local_totals:
    'A local connection has the meter readings of the current day only. Use a remote connection for other days.',
  CONFIG_mode_public:
    'A CEMM 3.0 answers at this address, which has no Open API. Open the connection and choose “my own network, CEMM 3.0 (public API)”.',
  CONFIG_mode_local:
    'A CEMM before 3.0 answers at this address, which has no public API. Open the connection and choose “my own network (local)”.',
  AUTH_local_role:
    'The monitor refuses access ({status}). In the settings of the monitor, give the local role more than “no access”.',
  NOT_A_MONITOR_no_public_api:
    'Something answers at this address, but without the public API of a CEMM 3.0. Check `host` in the connection, and that the local role in the settings of the monitor is not “no access”.',
  ALIAS_no_channel: 'The monitor does not know this meter and channel. Choose one of those that it lists.',
  INPUT_no_channel: '`channel` is blank. Choose one of those that the monitor lists.',
  INPUT_several_channels: 'Several meters have this channel. Choose the meter in `alias`, too.',
  INPUT_channel:
    '`channel` is not the name of a channel. Choose one of those that the monitor lists, or enter its number.',
  INPUT_resolution: '`resolution` must be one word, such as day.',
  INPUT_count: '`count` must be a whole number from 1 to {most}.',
  INPUT_include: '`include` must be one word, such as cemm, or blank.',
  UNSUPPORTED_timeseries_refused:
    'The monitor refuses this request for a time series ({status}). Check `channel`, `resolution` and `count`.',
  UNSUPPORTED_only_series:
    'Of a CEMM 3.0 only its meters and time series can be asked. Use the series node, or a webhook for current values.',
  UNSUPPORTED_not_public:
    'Only a CEMM 3.0 can be asked for this. Use a connection of the kind “my own network, CEMM 3.0 (public API)”.',
  UNSUPPORTED_no_prices: 'This format needs the answer to { "balance": "prices" } of a balance node.',
  UNSUPPORTED_balance:
    'A CEMM 3.0 cannot be asked for this moment: its public API has sums of days only. Ask for a day, week, month or year; or set the source of the node to “add up incoming messages”, and wire a webhook node to it.',
  UNSUPPORTED_day_series:
    'The last day that the monitor sends is not today, so the days of its sums are not known. Check the clock and the time zone of the monitor and of this machine.',
  INPUT_meters: '“{meter}” is not the name of a meter. Write names such as p1 and s01, separated by commas.',
  INPUT_battery_s0:
    '“{meter}” cannot be the meter of a battery: it counts pulses of an S0 output, which has no direction. A battery needs a meter that counts both directions, such as a Modbus meter.',
  INPUT_contracts:
    'The contracts cannot be used: “{path}” is missing or not valid. Give at most 10, each with a name, prices and, if wanted, dates such as 2026-03-01.',
  INPUT_contracts_and_prices: 'The question has contracts and prices. Give one of them.',
  INPUT_price_list:
    'The list of prices cannot be read: “{path}” is missing, not valid, has two prices or another time zone. Answers of EnergyZero, enever.nl and Tibber can be read, of at most 1 MB.',
  INPUT_prices:
    'The prices cannot be used: “{path}” is missing, not valid or no name of a price. Give a currency such as EUR, and numbers or lists as in the help of the node.',
  INPUT_batteries:
    '“{field}” must be a list of at most {most} sizes of batteries: numbers of kWh above 0, up to {kwh}.',
  INPUT_question: '“{field}” must be a number, or a text of at most {most} characters. The answer repeats it.',
  INPUT_nothing_added:
    'There is nothing to add up yet: no reading of a meter that counts has arrived. Wire realtime, meter readings or webhook in nodes to this node, and enter meters that it does not know under Meters.',
  INPUT_nothing_yet:
    'No reading of this house has arrived yet. The numbers appear with the first one. If none comes, the status below “webhook in” in Node-RED says why.',
  INPUT_too_many_houses:
    'This node adds up {most} houses at most. Use several nodes, and choose a monitor in each of them.',
};

const outsideLocalNetwork =
  'The host is not an address of a local network, so it is not contacted. Only `allowLoopback` accepts an address of this machine.';

const optionMissing = '`{option}` is missing. It must be {expected}.';
const optionType = '`{option}` must be {expected}{given}.{advice}';
const optionUnknown = 'There is no option `{option}`.{advice}';
const wrongDeadline = '`deadlineMs` must be a number of milliseconds above 0.';

/** Sentences of programs alone, also for errors that a dialog or a message of a flow explains in other words. */
export const programSentences: Readonly<Record<string, string>> = {
  CANCELLED_closed: 'The request was ended because the connection was closed.',
  CANCELLED_stopped: 'The request was stopped.',
  CONFIG_host_not_local: outsideLocalNetwork,
  CONFIG_deadline: wrongDeadline,
  CONFIG_interval: '`every` must be a number of milliseconds above 0.',
  CONFIG_meters: 'Row {row} of `meters` ({meter}) cannot be used: {problem}.',
  CONFIG_mode: 'Connect with one of `apiKey`, `host` and `demo`, such as connect({ host: "192.168.1.20" }).',
  CONFIG_option_missing: optionMissing,
  CONFIG_option_type: optionType,
  CONFIG_option_unknown: optionUnknown,
  CONFIG_simulator: '{sentence}',
  CONFIG_webhook_blank_key: 'A key of the webhook is blank: `{option}`.',
  CONFIG_webhook_no_installation: '`keys` needs a `path` with a parameter, such as /cemm/:installation.',
  CONFIG_webhook_no_proof: 'Give `hmacKey`, the key of the webhook, or `open: true` to accept anything.',
  CONFIG_webhook_two_keys: 'Give `hmacKey`, the key of all installations, or `keys`, a key for each. Not both.',
  DEADLINE: 'No answer in time (after {seconds} s). Try again, or allow a longer deadline.',
  DEADLINE_promise:
    'The monitor did not deliver the promised data within {seconds} s. Allow a longer deadline, or try again later.',
  INPUT_deadline: wrongDeadline,
  INPUT_no_period: 'Name one of {periods}, such as { day: "2026-10-25" }.',
  INPUT_option_missing: optionMissing,
  INPUT_option_type: optionType,
  INPUT_option_unknown: optionUnknown,
  NETWORK_address_refused: outsideLocalNetwork,
  RATE: 'The service receives too many requests. Send them more slowly.',
  RATE_queue_full: 'Too many different requests are waiting ({limit}). Send fewer at a time.',
  INPUT_not_a_payload: 'not a payload of this package',
  INPUT_other_version: 'a payload of another version than cemm/1',
  INPUT_no_monitor: 'the payload names neither a monitor nor an installation',
  INPUT_not_a_removal: 'an order to remove a device from Home Assistant has another form',
  INPUT_several_grids: 'the list has the readings of several grid meters',
  INPUT_not_numbers: 'a property that belongs to fields holds something other than numbers',
  UNSUPPORTED_nothing_measured: 'a found monitor or meter has no values',
  UNSUPPORTED_many_points: 'a series has many points and no single value',
  UNSUPPORTED_unknown_delivery: 'no part of the delivery is known',
  UNSUPPORTED_not_current: 'the format takes current values only',
  UNSUPPORTED_not_a_state: 'a rejected or missed delivery is not a state of a monitor',
  UNSUPPORTED_not_hourly: 'the format takes the hours of a day of a balance only',
  INPUT_time: 'The time must be a whole number of seconds between 2010 and 2100.',
};
