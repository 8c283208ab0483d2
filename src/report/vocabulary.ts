/**
 * The words that stay in a report: those of the interfaces and of energy meters. Every other text is replaced, so that a name or
 * a key cannot stay in a field that nobody thought of.
 */
import { kinds, rows } from '../model/fields';

const ofInterfaces = `
  open api v1 v2 public cemm io meters timeseries realtime totals data day month year monitors
  uid mac name type version core alias port option full id time value format basic currency icon color modules timezone label
  key role channels channel unit aggregation method local ip promise code expires include resolution count error message status
  post plus demo monitor webhooks smartmeter pulse pulses shelly weather mqtt modbus tcp rtu usb serial wifi ethernet
  this last minute hour 15minutes reading readings count counter calculated avg sum min max derived
  not found access denied only get
`;

const ofMeters = `
  p1 dsmr dsmr2 dsmr4 dsmr5 esmr smr han dlms emucs emu mbus in out s0 s01 s02 s03 gas water heat cold hot warm
  electric electricity electrical power energy usage consumption consumer production producer solar inverter grid
  connection battery storage charger charge discharge charged discharged ev car heatpump pump boiler generation generator
  import export imported exported delivered returned net total low high peak off rate tariff tarif price switch flow volume
  temperature humidity pressure wind voltage current frequency factor reactive active apparent phase l1 l2 l3 n t1 t2 t3 t4
  t0 consumed produced feed level state soc capacity setpoint average reading meter main sub smart slimme
  zon zonne zonnepanelen panelen stroom elektra elektriciteit verbruik opwek opwekking teruglevering levering meter water gas
  warmte batterij accu laadpaal omvormer vermogen energie dag nacht laag hoog piek netto totaal fase spanning
  import1 gemiddeld stand meterstand terug net normaal debiet volume temperatuur
  roof garage hoofdmeter afname enabled disabled input output link telegram
  and of the for met van de het per
`;

const ofTables = [
  ...Object.values(rows).flatMap(({ channels }) => channels.flatMap(({ channel }) => channel.split('_'))),
  ...Object.keys(kinds).flatMap((kind) => kind.split('_')),
];

const words: ReadonlySet<string> = new Set([
  ...`${ofInterfaces} ${ofMeters}`.split(/\s+/).filter((word) => word !== ''),
  ...ofTables,
]);

const units: ReadonlySet<string> = new Set(
  `W kW MW Wh kWh MWh VA kVA var kvar varh kvarh V mV A mA Hz % °C K m3 m³ dm3 L l mL L/min l/min L/h l/h m3/h m³/h J kJ MJ GJ
  bar Pa hPa mm mm/h m/s km/h W/m2 W/m² lx ppm EUR/kWh EUR/m3 EUR GBP USD CHF ct ct/kWh s min h`.split(/\s+/),
);

const mostNumberDigits = 3;
/** Letters, digits, and what may be between words; any other character could belong to a name in another script. */
const written = /^[\p{L}\p{N} \-_./:,;()+&%]+$/u;

/**
 * True for a text of known words, in which at least one is not a number: `smartmeter-dsmr`, `pulse-2`, `mb5`.
 * @param allowed without `numbers` no word may be a number, or contain one that is not its own
 */
export function isVocabulary(text: string, { numbers }: { readonly numbers: boolean }): boolean {
  if (!written.test(text)) return false;
  const tokens = text.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '');
  const digits = tokens.filter((token) => /^\d+$/.test(token));
  const others = tokens.filter((token) => !/^\d+$/.test(token));
  const most = numbers ? mostNumberDigits : 0;
  return others.length > 0 && digits.join('').length <= most && others.every((token) => isKnownToken(token, numbers));
}

function isKnownToken(token: string, numbers: boolean): boolean {
  const lower = token.toLowerCase();
  return words.has(lower) || (numbers && /^mb\d{1,3}$/.test(lower));
}

export function isUnitWord(text: string): boolean {
  return units.has(text);
}
