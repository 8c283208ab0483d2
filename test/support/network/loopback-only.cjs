// Loaded into a process under test (`--require`): the machine has no network except loopback, so a search does not leave it.
const os = require('node:os');

const all = os.networkInterfaces;
os.networkInterfaces = () =>
  Object.fromEntries(Object.entries(all()).filter(([, addresses]) => addresses?.every(({ internal }) => internal)));
