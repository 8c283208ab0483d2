/** Where a secret can be found in a text, in any of the spellings that a log or an address could take it in. */
export function spellingsIn(text: string, secret: string): string[] {
  const bytes = Buffer.from(secret);
  const spellings = {
    'as it is': secret,
    'as JSON': JSON.stringify(secret).slice(1, -1),
    'percent-encoded': encodeURIComponent(secret),
    'as a form': new URLSearchParams({ k: secret }).toString().slice(2),
    base64: bytes.toString('base64').replace(/=+$/, ''),
    base64url: bytes.toString('base64url'),
    hex: bytes.toString('hex'),
  };
  const lower = text.toLowerCase();
  return Object.entries(spellings)
    .filter(([, spelling]) => lower.includes(spelling.toLowerCase()))
    .map(([name]) => name);
}
