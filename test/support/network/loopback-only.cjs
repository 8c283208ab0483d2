// Loaded into a process under test (`--require`): the machine has no network except loopback, so a search does not leave it; and
// what it sends to port 80 of a loopback address goes to the port of the simulated monitors, as only root may listen on 80.
const net = require('node:net');
const os = require('node:os');

// As in discoverable.ts: neither a free port of another test nor one that the system assigns.
const portInPlaceOf80 = 18080;

const all = os.networkInterfaces;
os.networkInterfaces = () =>
  Object.fromEntries(Object.entries(all()).filter(([, addresses]) => addresses?.every(({ internal }) => internal)));

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  // Node.js itself passes its arguments as one array.
  const list = Array.isArray(args[0]) ? args[0] : args;
  const [target] = list;
  if (Number(target?.port) === 80 && target.host?.startsWith('127.')) list[0] = { ...target, port: portInPlaceOf80 };
  return connect.apply(this, args);
};
