/** The sentence of now: what a person would say about the powers of one moment. No sentence where they do not carry one. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import { isNumber } from './numbers';
import { pathsIn } from './paths';
import type { TextKey } from './texts';

type Source = 'sun' | 'battery' | 'sunBattery';

/** Facts of a sentence; tests compare them with what really flowed. */
export type NowSentence =
  | { readonly kind: 'grid'; readonly device: string | null }
  | { readonly kind: 'gridCharges'; readonly hasSun: boolean }
  /** The sources carry the whole house. `out`: what they send to the grid, W; 0 for nothing to speak of. */
  | { readonly kind: 'all'; readonly by: Source; readonly out: number; readonly charges: boolean }
  /** The sources carry this share of the house, 0 to 1. */
  | { readonly kind: 'part'; readonly by: Source; readonly share: number };

/** W; less is not worth a word. */
const least = 50;
/** Share of the use of the house; a source that lacks no more than this carries all. */
const nearlyAll = 0.03;

/** Null where the numbers do not carry a sentence. */
export function nowFacts({ values, devices = [], stale }: BalancePayload): NowSentence | null {
  const { power_export_w: given, power_house_w: house, power_production_w: sun } = values;
  const paths = pathsIn({ values });
  if (stale !== undefined || paths === null || !isNumber(house) || house < least) return null;
  const slack = Math.max(20, nearlyAll * house);
  if (paths.gridToBattery >= least) return { kind: 'gridCharges', hasSun: (sun ?? 0) >= least };
  if (paths.gridToHouse >= house - slack) return { kind: 'grid', device: largestDevice(devices, house) };
  const usesSun = paths.sunToHouse > slack || paths.sunToGrid >= least;
  const usesBattery = paths.batteryToHouse > slack || paths.batteryToGrid >= least;
  const by = usesSun === usesBattery ? 'sunBattery' : usesSun ? 'sun' : 'battery';
  if (paths.gridToHouse > slack) return { kind: 'part', by, share: 1 - paths.gridToHouse / house };
  return { kind: 'all', by, out: isNumber(given) && given >= least ? given : 0, charges: paths.sunToBattery >= least };
}

/** The device that takes more than half of the house. */
function largestDevice(devices: NonNullable<BalancePayload['devices']>, house: number): string | null {
  const most = devices.find(
    ({ within, power_w: power }) => within === undefined && isNumber(power) && power > house / 2,
  );
  return most?.name ?? null;
}

export function nowSentence(sheet: Sheet, balance: BalancePayload): string {
  const facts = nowFacts(balance);
  return facts === null ? '' : nowText(sheet, facts);
}

const words: Readonly<Record<Source, { readonly all: TextKey; readonly out: TextKey; readonly part: TextKey }>> = {
  sun: { all: 'saySun', out: 'saySunOut', part: 'saySunPart' },
  battery: { all: 'sayBattery', out: 'sayBatteryOut', part: 'sayBatteryPart' },
  sunBattery: { all: 'saySunBattery', out: 'saySunBatteryOut', part: 'saySunBatteryPart' },
};

export function nowText({ say, formats }: Sheet, facts: NowSentence): string {
  switch (facts.kind) {
    case 'grid':
      return facts.device === null ? say('sayGrid') : say('sayGridMost', facts.device);
    case 'gridCharges':
      return say(facts.hasSun ? 'sayBothCharge' : 'sayGridCharges');
    case 'part':
      // A share near a half in words.
      return say(words[facts.by].part, Math.abs(facts.share - 0.5) < 0.03 ? say('half') : formats.percent(facts.share));
    case 'all': {
      const { by, out, charges } = facts;
      const amount = out >= 1000 ? formats.amount(out / 1000, 'kW', 2) : formats.amount(out, 'W', 0);
      if (charges) return out > 0 ? say('saySunChargeOut', amount) : say('saySunCharge');
      return out > 0 ? say(words[by].out, amount) : say(words[by].all);
    }
  }
}
