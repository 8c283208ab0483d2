/** Checks of the two addresses of a connection. They accept what src/clients/address.ts accepts (a test compares them). */
import type { Verdict } from './checks';

/** The service: https, or http in the own network; nothing secret in it, and the version at the end (`…/v1/`). */
export function baseUrl(text: string): Verdict {
  const address = text.trim();
  if (/[\s\\\p{Cc}]/u.test(address) || !/^https?:\/\/[^/]/i.test(address)) return { key: 'check.baseUrl' };
  const url = urlOf(address);
  if (url === null) return { key: 'check.baseUrl' };
  if (/^[^/]*\/\/[^/?#]*@/.test(address) || /[?#]/.test(address)) return { key: 'check.baseUrlSecrets' };
  if (!/\/v\d+\/?$/.test(url.pathname)) return { key: 'check.baseUrlVersion' };
  return url.protocol === 'http:' && isElsewhere(url.hostname) ? { key: 'check.baseUrlPlain' } : true;
}

/** Only what is certain: where a name leads to, the runtime finds out. */
function isElsewhere(hostname: string): boolean {
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) {
    return !/^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(hostname);
  }
  return hostname.startsWith('[') && !/^\[(?:::1\]|::ffff:|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/.test(hostname);
}

/** `host`, `host:port` or `http://host:port` of a monitor in the own network. */
export function host(text: string): Verdict {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(text.trim()) ?? [];
  if (scheme !== '' && scheme.toLowerCase() !== 'http://') return { key: 'check.hostScheme' };
  // A browser's address bar ends in a slash.
  const bare = scheme === '' ? rest : rest.replace(/\/$/, '');
  if (bare === '') return { key: 'check.hostMissing' };
  if (bare.includes('@')) return { key: 'check.hostPassword' };
  if (/[/\\?#]/.test(bare)) return { key: 'check.hostPath' };
  const parts = /^(?:(\[[^\]]*\])|([^:[\]]*))(?::(.*))?$/s.exec(bare);
  if (parts === null || !isPort(parts[3] ?? '80')) return { key: 'check.hostPort' };
  const [, bracketed, plain = ''] = parts;
  const valid = bracketed === undefined ? isName(plain) : urlOf(`http://${bracketed}/`) !== null;
  return valid ? true : { key: 'check.host' };
}

/** An IPv4 address of four decimal numbers, or an IPv6 address without brackets. */
export function isIpAddress(text: string): boolean {
  if (!text.includes(':')) return /^\d+(?:\.\d+){3}$/.test(text) && isName(text);
  // The zone of a link-local address (fe80::1%eth0) is not known to URLs.
  return urlOf(`http://[${text.replace(/%[A-Za-z0-9]+$/, '')}]/`) !== null;
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}

function isName(text: string): boolean {
  const name = text.toLowerCase().replace(/(?<=.)\.$/, '');
  // A last label of digits makes an IPv4 address of it everywhere, in octal or as one number if need be.
  if (/(^|\.)(\d+|0x[0-9a-f]*)$/.test(name))
    return /^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/.test(name) && isIpv4(name);
  const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
  return name.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(name);
}

function isIpv4(text: string): boolean {
  return text.split('.').every((part) => Number(part) <= 255);
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
