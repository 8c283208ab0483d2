/** Records the requests and upgrades of all HTTP servers of a Node-RED, as parsed by Node. */

export interface Arrival {
  readonly port: number;
  readonly method: string;
  readonly url: string;
  readonly hasPassword: boolean;
}

const mark = 'ARRIVED ';

/** A property of settings.js: runs when Node-RED starts. */
export const recordArrivals = `arrivals: (() => {
  const { Server } = require('node:http');
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (name, req, ...rest) {
    if (name === 'request' || name === 'upgrade' || name === 'connect') {
      const { method, url, socket, headers } = req;
      const arrival = { port: socket.localPort, method, url, hasPassword: headers.authorization !== undefined };
      process.stdout.write(${JSON.stringify(mark)} + JSON.stringify(arrival) + '\\n');
    }
    return emit.call(this, name, req, ...rest);
  };
  return true;
})(),`;

export function arrivalsIn(log: string): Arrival[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .map((line) => JSON.parse(line.slice(mark.length)) as Arrival);
}
