/** Makes the report of the monitor of an open dialog. */
import { isTimezone } from '../../src/calendar/zone';
import { packageVersion } from '../../src/errors';
import { makeReport } from '../../src/report/report';
import { fileOf } from '../../src/report/report-file';
import type { ReportAnswer } from './admin-answers';
import { connectionDefaults } from './config';
import { withChecked } from './checked-form';
import type { FormInput } from './form-input';

/** @throws {CemmError} CONFIG; CANCELLED when the dialog is closed */
export async function makeConnectionReport(
  form: FormInput,
  withDays: boolean,
  signal: AbortSignal,
): Promise<ReportAnswer> {
  const zone = form.expand(form.config.timezone);
  const timezone = isTimezone(zone) ? zone : connectionDefaults.timezone;
  const report = await withChecked(form, (checked) =>
    makeReport(checked, { timezone, withDays, version: packageVersion(), signal }),
  );
  const failed = report.made.filter((made) => 'error' in made).length;
  const read = report.made.length - failed;
  return { file: fileOf(report), read, failed, error: null };
}
