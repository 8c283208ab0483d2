/** The two settings of a ui-base by which Dashboard keeps what a browser sends to a ui-template from all others. */

const type = 'ui-template';
/** The value for a ui-base without the property. */
const acceptedByDefault = ['ui-notification', 'ui-control'];

type Base = Readonly<Record<string, unknown>>;

export function isProtected(base: Base): boolean {
  const accepted = base['acceptsClientConfig'];
  return Array.isArray(accepted) && accepted.includes(type) && base['includeClientData'] !== false;
}

/** With what is missing. */
export function protectedSettings(base: Base): {
  readonly acceptsClientConfig: readonly string[];
  readonly includeClientData: true;
} {
  const stored = base['acceptsClientConfig'];
  const accepted: readonly unknown[] = Array.isArray(stored) ? stored : acceptedByDefault;
  const known = accepted.filter((one) => typeof one === 'string');
  return { acceptsClientConfig: [...new Set([...known, type])], includeClientData: true };
}
