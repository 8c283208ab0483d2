/** Tells an outage of a polling node once, however many rounds fail, and again only after a round that went well. */
import type { CemmError } from '../../src/clients/errors';
import { errorStatus } from './status-table';
import type { Runner } from './runner';

export interface Outage {
  failed(error: CemmError): void;
  over(): void;
}

export function createOutage(runner: Pick<Runner, 'say' | 'report' | 'status'>): Outage {
  let told: string | null = null;
  return {
    failed(error) {
      if (error.code === 'CANCELLED') return;
      const kind = `${error.code} ${error.reason ?? ''}`;
      if (told === kind) runner.status(errorStatus(error, runner.say));
      else runner.report(error);
      told = kind;
    },
    over() {
      told = null;
    },
  };
}
