// Node-RED inside an Express app, as in its documentation: `embed` of the settings file mounts both apps. Accepts the arguments
// of red.js that the tests use.
const http = require('node:http');
const express = require('express');

const RED = require(process.env.CEMM_RED_LIBRARY);

const argument = (name) => process.argv[process.argv.indexOf(`--${name}`) + 1];

const settings = require(argument('settings'));
settings.userDir = argument('userDir');
const port = Number(argument('port'));
settings.uiPort = port;

const root = express();
const server = http.createServer(root);
RED.init(server, settings);
settings.embed({ express, http, RED, root });
server.listen(port, '127.0.0.1');
void RED.start();

process.on('SIGTERM', () => {
  void RED.stop().then(() => process.exit());
});
