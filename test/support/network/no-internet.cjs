// Loaded into a process under test (`--require`): name lookups fail, as on a machine without internet. Addresses work.
const dns = require('node:dns');
const net = require('node:net');

const lookup = dns.lookup;
dns.lookup = (hostname, ...rest) => {
  if (net.isIP(hostname) !== 0 || hostname === 'localhost') return lookup(hostname, ...rest);
  const done = rest.at(-1);
  const error = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${hostname}`), {
    code: 'EAI_AGAIN',
    errno: -3001,
    syscall: 'getaddrinfo',
    hostname,
  });
  process.nextTick(() => done(error));
};
