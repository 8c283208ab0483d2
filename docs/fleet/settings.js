// Settings of Node-RED for a fleet, the same file on every machine. Environment variables:
//   CEMM_KEYS_FILE        JSON: { "001a2b3c4d5e": { "key": "…", "previous": "…", "cemm": 24000001 }, … }
//   CEMM_EDITOR_PASSWORD  the hash of a password, from `node-red admin hash-pw`; without it there is no editor
//   CEMM_EDITOR_BIND      address on which the editor listens; default 127.0.0.1
const { readFileSync } = require('node:fs');

const keysFile = process.env.CEMM_KEYS_FILE;
const keys = new Map(keysFile ? Object.entries(JSON.parse(readFileSync(keysFile, 'utf8'))) : []);
const password = process.env.CEMM_EDITOR_PASSWORD;

module.exports = {
  // The default name contains the host name; this one is the same on every machine.
  flowFile: 'flows.json',
  // Encrypts the keys from dialogs. The same on every machine, so the credentials file can be copied with the flows.
  credentialSecret: process.env.NODE_RED_CREDENTIAL_SECRET,
  // Receivers have no editor and no admin API.
  httpAdminRoot: password ? '/' : false,
  adminAuth: { type: 'credentials', users: [{ username: 'admin', password: password ?? '', permissions: '*' }] },
  // Deliveries have a separate port, so no flow needs an address. Without an editor, Node-RED then opens no port itself.
  httpNodeRoot: false,
  uiHost: process.env.CEMM_EDITOR_BIND || '127.0.0.1',
  // Deliveries wait in the receivers while the broker is not connected: connect again after a second.
  mqttReconnectTime: 1000,
  functionGlobalContext: {
    // A function: an object would be visible to everybody who may read the context in the editor.
    cemmKey: (installation) => keys.get(installation),
  },
};
