/** The two settings of a ui-base by which Dashboard keeps what a browser sends to a ui-template from all others. */

const type = 'ui-template';
/** Of a ui-base without the property. */
const acceptedByDefault = ['ui-notification', 'ui-control'];

interface Base {
  readonly acceptsClientConfig?: unknown;
  readonly includeClientData?: unknown;
}

export function isProtected({ acceptsClientConfig, includeClientData }: Base): boolean {
  return Array.isArray(acceptsClientConfig) && acceptsClientConfig.includes(type) && includeClientData !== false;
}

/** With what is missing. */
export function protectedSettings({ acceptsClientConfig }: Base): {
  readonly acceptsClientConfig: readonly string[];
  readonly includeClientData: true;
} {
  const accepted: readonly unknown[] = Array.isArray(acceptsClientConfig) ? acceptsClientConfig : acceptedByDefault;
  const known = accepted.filter((one) => typeof one === 'string');
  return { acceptsClientConfig: [...new Set([...known, type])], includeClientData: true };
}
