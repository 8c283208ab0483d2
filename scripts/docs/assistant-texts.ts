// The sentences of docs/for-assistants.md. What is listed there is made from the nodes (build-assistants.ts).
import { priceNames } from '../../src/balance/prices/prices-input';

export const introduction = `# For language models: flows with node-red-contrib-cemm

Node-RED nodes for CEMM energy monitors (smart meter, solar, gas, water). Copy a flow from the end of this page and change it. A flow is a
JSON array of nodes; \`z\` is the id of the tab, \`wires\` has one list of ids per output.

## Rules

- Use only the properties below: there are no others. One that you leave out has its default. Copy \`version\` as it is in the flows.
- A node names its connection by the id of a \`cemm-connection\` node in the same file. Without a real monitor use \`"mode": "demo"\`.
  The id of a connection must differ from its values: with the id \`demo\` and \`"mode": "demo"\`, Node-RED takes the mode for a reference to itself.
- \`x\` and \`xType\` belong together: \`xType\` is the kind of value in \`x\` (\`str\`, \`msg\`, \`flow\`, \`global\`, \`env\`, \`jsonata\`). With \`msg\` write
  \`payload.alias\`, not \`msg.payload.alias\`.
- A date is \`2026-10-25\`, for a month \`2026-10\`, for a year \`2026\`: the year first. A message may also have \`2026-10-25T12:00\`, with an offset or
  in the time zone of the connection, a Date, or a number of seconds or ms. \`dateType\`: \`current\` and \`previous\` need no \`date\`, \`str\` takes it from
  \`date\`, \`msg\` from the property that \`date\` names. The same for \`from\` and \`to\`, both included. Any moment in a period means the period.
- \`alias\` is the meter: \`p1\` the smart meter, \`p1-gas\` its gas, \`s01\` and on the pulse meters (solar, water), \`mb5\` a Modbus meter. Blank in
  \`cemm-realtime\`: all of them. If you do not know it, begin with the flow that lists the meters.
- A node with \`interval\` (seconds) above 0 runs by itself, and takes nothing from messages. With 0 it needs an *inject* node or another message.
- Keys and passwords are no properties: the user enters them in the dialog, or \`hmacKeyFrom\` names a variable.
- A field is \`msg.payload.values.<field>\`, with the unit in its name. A missing value is \`null\`, never 0: test for it.
- A chart gets its points from a \`cemm-format\` node with \`"format": "chart"\`, never from \`payload\` itself.
- Do not poll faster than every 5 seconds (10 over the internet), and not twice for two uses: wire one node to both.
- Errors go to a *catch* node; \`msg.error.code\` is a word such as \`NETWORK\`. The second output of \`cemm-realtime\` says offline and online.
- A page of the whole house: \`cemm-balance\` (\`"period": "now"\`, \`"interval": 10\`) → \`cemm-page\`; its output 1 → a \`ui-template\` in a group as wide as
  the page, and that back → \`cemm-page\`; output 2 → the same \`cemm-balance\`; a \`catch\` node for that → \`cemm-page\`. Finished pages are in the menu
  *Import*, *Examples*: \`energy-page\` (at \`/dashboard/energy\`), \`energy-page-webhook\`. Name these instead of building them again. The \`ui-base\` of a page needs
  \`"acceptsClientConfig": ["ui-notification", "ui-control", "ui-template"]\` and \`"includeClientData": true\`: without them a visitor can change it for others.
- Check the flow before you hand it over: \`npx --package node-red-contrib-cemm cemm-check-flow flow.json\`. JSON Schemas:
  \`node-red-contrib-cemm/schemas/nodes/<type>.json\`, \`node-red-contrib-cemm/schemas/<kind>.json\`.
`;

export const messages = [
  'Every `msg.payload` has `schema`, `kind`, `id`, `ts` (ms), `time` (ISO), `monitor` { `id`, `name` } and `source`; `msg.topic` is' +
    ' `cemm/<monitor>/<meter>/<kind>`. `meter` is { `alias` or `key`, `role` }.',
  [
    '- `realtime`, `totals`: `values` { field: number or null }, `times`, `missing` { field: why it is null }; `totals` also `period`',
    '- `series`: `period` { `unit`, `label`, `start`, `end`, `step` }, `fields`, `points` [{ `ts`, field }], `stats`, `complete`',
    '- `balance`: `values`, `coverage` { field: 0 to 1 }, `peak`, and for a period `points` [{ `ts`, field, `cost` }], `cost` { `currency`, `total`, `netted`, … }',
    '- `peak`: null, or { `power_w`, `start`, `end` } of the quarter of an hour with the highest mean import. In a balance of now `power_w` is null and',
    '  `expected_w` is what the running quarter comes to. A year has none, a month only with `"peak": true`.',
    '- `webhook`: `readings` [{ `meter`, `field`, `value`, `ts` }], `values` { meter: { field: number } }, `delivery`',
    '- `monitor`: `change`, `verified`; `meter`: `meter`; `availability`: `state`, `since`, `reason`; `problem`: `reason`, `count`',
  ].join('\n'),
  [
    '- Sign: `power_w` of a smart meter is above 0 for import and below 0 for export; `power_import_w` and `power_export_w` are never below 0. Production is',
    '  above 0. A meter of a battery is above 0 while it charges; `power_battery_w` of a balance is above 0 while it discharges.',
    '- Reading or amount: energy and volume in `realtime` and `totals` are what the counter shows (12345.678 kWh since it was installed). In the points of a',
    '  `series` and in a `balance` they are the amount of that step or period. Never add up readings.',
    '- Points of a `series`: a day has minutes with power (`power_w`, `power_import_w`, `power_export_w`, `power_production_w`, `gas_lpm`). A month has days and a',
    '  year has months, with `energy_net_kwh` (import − export), also `_t1` and `_t2`, `gas_m3` or `water_m3`. Import and export of each day: `cemm-balance`.',
  ].join('\n'),
].join('\n\n');

export const formats = [
  'What `cemm-format` sends, and the node that takes it:',
  [
    '- `values`: one object { field: value }, for `ui-gauge`, `ui-text` (`payload.power_w`), `template`. No series.',
    '- `rows`: a list of { `ts`, `monitor`, `meter`, `field`, `value`, `unit` }, for `csv`, `ui-table`, or `split` and an SQL node',
    '- `chart`: a list of { `series`, `ts`, `value`, `label` }, with `msg.action`, for `ui-chart`. For bars of a month or year: `chartType` `bar`, `xAxisType`',
    '  `category`, `xAxisProperty` `label`. `fields` chooses the lines: `"power_import_w, power_export_w"`.',
    '- `influx`: a list of points, for the node *influx batch* (type `influxdb batch`), not *influxdb out*',
    '- `influx-lines`: the same as one text in line protocol, for `http request` (`precision=ms`)',
    '- `senml`: a list of records (RFC 8428), for `mqtt out` or `http request`',
    '- `homeassistant`: messages with their own topic, QoS and retain: leave those blank in `mqtt out`. Wire both outputs of `cemm-realtime` into it.',
    '- `homeassistant-history`: for `ha-api`, from the balance of a day by hour',
    '- `prices`: { `priceData` } for planners, from the answer to { "balance": "prices" }; `price-list`: the list of a price, from the answer of EnergyZero, enever.nl or Tibber',
    '- `openmetrics`, `homewizard`: for `http response`; keep `msg.req` and `msg.res` of `http in`',
  ].join('\n'),
].join('\n\n');

export const interfaces = [
  '- `demo`: one monitor with `p1`, `p1-gas`, `s01` and `mb5` (solar), `pulse-2` (water). It answers as a local one does, and sends no webhooks.',
  '- `local`: meter readings (`cemm-totals`) of today only; another day is the error `UNSUPPORTED`. For past days use `cemm-series` or `cemm-balance`.',
  '  A price by tariff needs the reading of each midnight: of days before the first one with Node-RED, `cost.import` and `total` are null.',
  '- `remote`: not every meter; a request takes up to 10 seconds. With several monitors, `monitor` is the MAC address.',
  '- `public` (CEMM 3.0): series by `channel`, and of `cemm-balance` days, weeks, months, years and bills (sums of days). No current values, no meter readings, no hours: those come by webhook, and a `cemm-balance` with',
  '  `"source": "messages"` adds them up.',
].join('\n');

export const webhooks = [
  'With `"path": "/cemm/:installation"` each installation has its own address, such as `/cemm/house-1`, and needs its own key:',
  [
    '- `"hmacKeyFrom": "CEMM_KEY_${installation}", "hmacKeyFromType": "env"`: the variable `CEMM_KEY_house-1`',
    '- `"hmacKeyFrom": "cemmKeys", "hmacKeyFromType": "global"`: an object in the context, `{ "house-1": "the key" }`',
    '- `"hmacKeyFromType": "jsonata"`: an expression that sees `installation` and `req.params`',
  ].join('\n'),
  '`payload.installation` says which one it was. A key has at least 32 characters. The address is that of Node-RED, with `httpNodeRoot` in front of the path;' +
    ' with `"listen": "own"` it is that of `port`.',
].join('\n\n');

export const prices = [
  `Only these names: ${priceNames.map((name) => `\`${name}\``).join(' ')}. Ask the user for the numbers of the contract; invent none. Amounts are in the` +
    ' currency, not in cents: 0.25, not 25.',
  [
    '- `import`, `export`, `export_fee` (feed-in costs): per kWh; `gas`, `water`: per m³. Each is a number, a list, or `{ "list": […], "times": 1.21, "plus": 0.15 }`',
    '  (market price × tax + charges; prices per MWh: `"times": 0.00121`). In place of a number, those per kWh take `{ "t1": 0.24, "t2": 0.28 }`.',
    '- A list by date or by hour: `[{ "start": "2026-07-01", "value": 0.27 }, { "start": "2026-10-25T13:00", "value": 0.21 }]`. An hour that a list by the',
    '  hour lacks has no price. Nothing is fetched: another node gets market prices.',
    '- `per_day`, `per_year`: fixed, may be below 0. `peak` (Flanders): `{ "per_kw_year": 53.25, "at_least_kw": 2.5 }`. `example`: true for invented numbers.',
    '- Where they are: in the node as text (`"pricesType": "json"`), once in the `cemm-connection` (`json` or `global`; then `"pricesType": "connection"` in the',
    '  balance), in a message (`msg`) or a context (`flow`, `global`).',
    '- `cost` has `import`, `export`, `export_fee`, `gas`, `water`, `fixed`, `peak`, `total`, `netted` (Netherlands, until 2026), `coverage`. What is not',
    '  known is null.',
  ].join('\n'),
  [
    'A message with the payload `{ "balance": "now" | "day" | "week" | "month" | "year" | "bill", "date"?, "step"?: "15m" | "1h" (of a day), "question"? }` is answered by',
    'every `cemm-balance`, whatever it is set to; the answer repeats `question`. `{ "balance": "bill", "from"?, "to"?, "prices"?: [until 2026, from 2027],',
    '"batteries_kwh"?: [5, 10] }` gives `bills` [cost, cost] (the first is `netted`, the second `total`), `moved`, `batteries` [{ `kwh`, `saved` }], `share`; null',
    'below a share of 0.98, and in the place of prices that are null. Without `prices`, both bills have those of the node.',
  ].join('\n'),
].join('\n\n');
