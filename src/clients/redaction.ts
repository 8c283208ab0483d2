/** Keeps a secret out of what is told. Strangers may send it back to us: in a host to redirect to, in a channel name. */

/** True where `text` holds one of the secrets, plain, percent-encoded, in base64 or in hex, in any letter case. */
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
