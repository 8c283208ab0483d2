/**
 * For `npm start`: the demo has no login, and Node-RED lets pages of any site call its admin API. Only its own pages and
 * programs other than browsers may.
 */
const { URL } = require('node:url');

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

module.exports = (req, res, next) => {
  if (isOwn(req)) next();
  else res.status(403).json({ error: 'Open the demo by its own address, 127.0.0.1 or localhost.' });
};

function isOwn({ method, headers }) {
  // A different host name means a page of another site (DNS rebinding).
  const host = parseRequestUrl(`http://${headers.host}`);
  if (host === null || !ownNames.has(host.hostname)) return false;
  const site = headers['sec-fetch-site'] ?? 'none';
  // A link to the editor on another page.
  if (method === 'GET' && headers['sec-fetch-mode'] === 'navigate') return true;
  if (site !== 'same-origin' && site !== 'none') return false;
  return headers.origin === undefined || parseRequestUrl(headers.origin)?.host === host.host;
}

function parseRequestUrl(text) {
  return URL.canParse(text) ? new URL(text) : null;
}
