/** The log of Home Assistant: which of its entries a test must explain. */

/** An entry begins with its time; the lines of a traceback follow. */
const beginning = /^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m;
const isError = /^\S+ \S+ (?:ERROR|CRITICAL|FATAL) /;
const isWarning = /^\S+ \S+ WARNING /;
/** Our device, entities, topics and statistics, and the integrations that read them. */
const ours = /cemm|components\.(?:mqtt|homewizard|energy|sensor\.recorder)|recorder\.(?:statistics|websocket)/i;
/**
 * What the onboarding adds: the weather, radio stations and a spoken voice, which are not installed here, a list, and the
 * marketplace, whose set-up an early restart interrupts.
 */
const ofOnboarding = /\b(?:met|radio_browser|google_translate|shopping_list|marketplace)\b/;

/** A machine that has much to do. */
const isSlow = /\[homeassistant\.helpers\.entity\] Updating state for \S+ .* took [\d.]+ seconds/;

/** All errors, and the warnings that name us. */
export function problemsIn(log: string): string[] {
  return log
    .split(beginning)
    .filter((entry) => isError.test(entry) || (isWarning.test(entry) && ours.test(entry)))
    .filter((entry) => !ofOnboarding.test(entry) && !isSlow.test(entry))
    .map((entry) => entry.trim());
}
