/** Detects secrets in received text, such as the host of a redirect or a channel name, so that no error repeats them. */

/** True when `text` contains one of the secrets: plain, percent-encoded, in base64 or in hex, in any letter case. */
export function mentions(text: string, secrets: readonly string[]): boolean {
  const spoken = text.toLowerCase();
  return secrets.some((secret) => spellings(secret).some((spelling) => spoken.includes(spelling)));
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [
    secret,
    encodeURIComponent(secret),
    base64,
    base64.replace(/\+/g, '-').replace(/\//g, '_'),
    bytes.toString('hex'),
  ].map((spelling) => spelling.toLowerCase());
}
