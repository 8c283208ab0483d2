/** Checks of the fields of a webhook-in node. */
import type { FieldCheck } from '../lib/editor/checks';
import type { RuleCheck } from '../lib/stored/field-rules';
import { healthPath, isSafeKeyName, isUsablePath, normalizePath, parsePort } from './config';

export const path: RuleCheck = (text, node) => {
  const normalized = normalizePath(text);
  if (!isUsablePath(normalized)) return { key: 'check.path' };
  const isReserved = node.textOf('listen') === 'own' && normalized.toLowerCase() === healthPath;
  return isReserved ? { key: 'check.pathHealth' } : true;
};

export const port: FieldCheck = (text) => (parsePort(text) === null ? { key: 'check.port' } : true);

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Same rule as `isIP` of Node.js, which the runtime uses. A library is too large for one field, and browsers parse IPv6. */
function isIp(text: string): boolean {
  const withoutZone = text.replace(/%[\w.:-]+$/, '');
  if (!/^[\da-f:.]*:[\da-f:.]*$/i.test(withoutZone)) return ipv4.test(text);
  try {
    return new URL(`http://[${withoutZone}]/`).host !== '';
  } catch {
    return false;
  }
}

export const bind: FieldCheck = (text) => (isIp(text.trim()) ? true : { key: 'check.bind' });

export const headerName: FieldCheck = (text) =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text.trim()) ? true : { key: 'check.headerName' };

export const queryName: FieldCheck = (text) => (text.trim() === '' ? { key: 'check.queryName' } : true);

export const monitors: FieldCheck = (text) =>
  text.split(/[\s,;]+/).every((part) => /^\d{0,15}$/.test(part)) ? true : { key: 'check.monitors' };

/** Requires at least one authentication method, or a receiver that is open on purpose. */
export const proof: RuleCheck = (open, node) =>
  open === 'true' || ['hmac', 'header', 'query'].some((way) => node.textOf(way) === 'true')
    ? true
    : { key: 'check.noProof' };

/** Checks the source of the HMAC key: the name of a variable must have text besides the parameters of the path. */
export const keyFrom: RuleCheck = (name, node) => {
  const isVariable = node.textOf('hmacKeyFromType') === 'env';
  return !isVariable || isSafeKeyName(name.trim(), normalizePath(node.textOf('path')))
    ? true
    : { key: 'check.hmacKeyFrom' };
};
