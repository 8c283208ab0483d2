// Node-RED for a fleet, the same for every replica: what differs comes from the environment.
//   CEMM_KEYS_FILE        JSON: { "001a2b3c4d5e": { "key": "…", "previous": "…", "cemm": 24000001 }, … }
//   CEMM_EDITOR_PASSWORD  the hash of a password, from `node-red admin hash-pw`; without it there is no editor at all
//   CEMM_EDITOR_BIND      address on which the editor listens; without it this machine alone
const { readFileSync } = require('node:fs');

const keysFile = process.env.CEMM_KEYS_FILE;
const keys = new Map(keysFile ? Object.entries(JSON.parse(readFileSync(keysFile, 'utf8'))) : []);
const password = process.env.CEMM_EDITOR_PASSWORD;

module.exports = {
  // Without a host name in it, so that the same file runs on every machine.
  flowFile: 'flows.json',
  // Encrypts the keys that are entered in dialogs; the same everywhere, so that the credentials file may travel with the flows.
  credentialSecret: process.env.NODE_RED_CREDENTIAL_SECRET,
  // No editor and no admin API where nobody needs them: receivers run what is in their flow file.
  httpAdminRoot: password ? '/' : false,
  adminAuth: { type: 'credentials', users: [{ username: 'admin', password: password ?? '', permissions: '*' }] },
  // Nothing is served by flows: deliveries have a port of their own. Without an editor, Node-RED then opens no port at all.
  httpNodeRoot: false,
  uiHost: process.env.CEMM_EDITOR_BIND || '127.0.0.1',
  // Deliveries wait in the receivers while the broker is away: not longer than needed.
  mqttReconnectTime: 1000,
  functionGlobalContext: {
    // A function, since what is an object here is shown to everybody who may read the context in the editor.
    cemmKey: (installation) => keys.get(installation),
  },
};
