// Loaded into a process under test (`--require`): the machine has no network but loopback, so a search leaves it alone.
const os = require('node:os');

const all = os.networkInterfaces;
os.networkInterfaces = () =>
  Object.fromEntries(Object.entries(all()).filter(([, addresses]) => addresses?.every(({ internal }) => internal)));
