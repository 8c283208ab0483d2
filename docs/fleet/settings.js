// Node-RED for a fleet, the same for every replica: what differs comes from the environment.
//   CEMM_KEYS_FILE   JSON: { "001a2b3c4d5e": { "key": "…", "previous": "…", "cemm": 24000001 }, … }
const { readFileSync } = require('node:fs');

const keysFile = process.env.CEMM_KEYS_FILE;

module.exports = {
  // Encrypts the keys that are entered in dialogs; the same everywhere, so that the credentials file may travel with the flows.
  credentialSecret: process.env.NODE_RED_CREDENTIAL_SECRET,
  // Deliveries wait in the receivers while the broker is away: not longer than needed.
  mqttReconnectTime: 1000,
  functionGlobalContext: {
    cemmKeys: keysFile ? JSON.parse(readFileSync(keysFile, 'utf8')) : {},
  },
};
