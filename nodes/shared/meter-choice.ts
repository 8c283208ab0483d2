/** Which monitor and meter a message (or a round of polling) is about. */
import { CemmError } from '../../src/clients/errors';
import type { MeterTarget, RealtimeTarget } from '../../src/installation/installation';
import { roleChoices, typedValues, type MeterConfig, type TypedValue } from './meter-config';
import { resolveText, type Evaluation } from './typed-input';

/** @throws CemmError as resolveText */
export async function chooseMeters(config: MeterConfig, evaluation: Evaluation): Promise<RealtimeTarget> {
  const role = roleChoices.find((choice) => choice === config.role) ?? 'auto';
  const monitor = await resolveText('monitor', config.monitor, typeOf(config.monitorType), evaluation);
  const alias = await resolveText('alias', config.alias, typeOf(config.aliasType), evaluation);
  return { monitor, alias, role };
}

/** @throws CemmError as resolveText, and INPUT `no_alias` */
export async function chooseMeter(config: MeterConfig, evaluation: Evaluation): Promise<MeterTarget> {
  const { alias, ...target } = await chooseMeters(config, evaluation);
  if (alias !== null) return { ...target, alias };
  throw new CemmError('INPUT', 'No meter is chosen: fill in an alias, for instance p1.', { reason: 'no_alias' });
}

/** A flow file may be older than a field or edited by hand: what is unknown is a plain text. */
export function typeOf(type: string | undefined): TypedValue {
  return typedValues.find((known) => known === type) ?? 'str';
}
