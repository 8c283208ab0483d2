/**
 * Node-RED as in the Node-RED app of Home Assistant (https://github.com/hassio-addons/app-node-red), without Home Assistant. It
 * has the app's settings, a real nginx with the configuration from the app's templates, Home Assistant's part of ingress
 * (homeassistant/components/hassio/ingress.py), and a server in place of the Supervisor.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import { join } from 'node:path';
import { selfSigned } from '../network/certificate';
import { freePort, NodeRed, type Settings } from '../node-red/node-red';
import { folderFor, launch, programPath, type Server } from '../servers/server-program';
import { closeServer, listenOnLoopback } from '../network/loopback';

/** Options of the app that its owner sets. */
export interface AppOptions {
  readonly ssl?: boolean;
  /** Null: `http_node` is blank. */
  readonly httpNode?: { readonly username: string; readonly password: string } | null;
}

export interface HomeAssistantApp {
  readonly nodeRed: NodeRed;
  /** The app's own server for a browser, at the port that the owner has chosen. */
  readonly direct: string;
  readonly directPort: number;
  /** The editor in Home Assistant for a browser. */
  readonly ingress: string;
  /** Cookie of a browser that is logged in to Home Assistant. */
  readonly cookie: { readonly name: string; readonly value: string; readonly url: string };
  stop(): Promise<void>;
}

/** Host name of the machine in a browser. */
export const machine = 'homeassistant.local';
/** User of Home Assistant, which the app asks to authenticate visitors of its own server. */
export const owner = { username: 'frank', password: 'a password of Home Assistant' };
export const supervisorToken = 'the token of the Supervisor';
const sessionCookie = 'ingress_session';
const session = 'logged-in';
const ingressPath = '/api/hassio_ingress/3kTq9vXm/';

export async function startHomeAssistantApp(
  { ssl = true, httpNode = null }: AppOptions,
  settings: Pick<Settings, 'flows' | 'credentials' | 'modules' | 'nodeOptions'>,
): Promise<HomeAssistantApp> {
  const program = programPath('nginx', 'nginx');
  const [nodeRedPort, directPort, ingressPort, homeAssistantPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const supervisor = createSupervisor({
    network: { '80/tcp': directPort },
    options: { ssl, http_node: httpNode },
  });
  const supervisorPort = await listenOnLoopback(supervisor);
  const nodeRed = await NodeRed.start({
    ...settings,
    port: nodeRedPort,
    // rootfs/etc/node-red/config.js; there the port is 46836.
    settings: `uiHost: '127.0.0.1', httpNodeRoot: '/endpoint', adminAuth: null, https: null, ${nodeAuth(httpNode)}`,
    env: { SUPERVISOR_TOKEN: supervisorToken, SUPERVISOR_API: `http://127.0.0.1:${supervisorPort}` },
  });
  const ports = { nodeRedPort, directPort, ingressPort, homeAssistantPort, supervisorPort };
  const nginx = await startNginx(program, ssl, ports).catch(async (error: unknown) => {
    await nodeRed.stop();
    supervisor.close();
    throw error;
  });
  const homeAssistant = `http://${machine}:${homeAssistantPort}`;
  return {
    nodeRed,
    direct: `${ssl ? 'https' : 'http'}://${machine}:${directPort}`,
    directPort,
    ingress: `${homeAssistant}${ingressPath}`,
    cookie: { name: sessionCookie, value: session, url: homeAssistant },
    async stop() {
      await nginx.stop();
      await nodeRed.stop();
      await closeServer(supervisor);
    },
  };
}

/** The same text as in the app: a hash of the owner's `http_node`. */
function nodeAuth(httpNode: AppOptions['httpNode']): string {
  if (httpNode === null || httpNode === undefined) return '';
  const bcrypt = JSON.stringify(require.resolve('bcryptjs', { paths: [require.resolve('node-red/red.js')] }));
  const { username, password } = httpNode;
  return `httpNodeAuth: { user: '${username}', pass: require(${bcrypt}).hashSync('${password}', 4) },`;
}

/** Serves `/auth` for the app's nginx, and `/addons/self/info` for programs in the app. */
function createSupervisor(info: object): HttpServer {
  const login = `Basic ${Buffer.from(`${owner.username}:${owner.password}`).toString('base64')}`;
  return createServer((req, res) => {
    const { authorization, 'x-supervisor-token': token } = req.headers;
    if (req.url === '/auth' && token === supervisorToken) {
      const isOwner = authorization === login;
      res.writeHead(isOwner ? 200 : 401, isOwner ? {} : { 'WWW-Authenticate': 'Basic realm="Home Assistant"' }).end();
    } else if (req.url === '/addons/self/info' && authorization === `Bearer ${supervisorToken}`) {
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ result: 'ok', data: info }));
    } else res.writeHead(403).end();
  });
}

interface Ports {
  readonly nodeRedPort: number;
  readonly directPort: number;
  readonly ingressPort: number;
  readonly homeAssistantPort: number;
  readonly supervisorPort: number;
}

async function startNginx(program: string, ssl: boolean, ports: Ports): Promise<Server> {
  const folder = await folderFor('nginx');
  const { key, cert } = selfSigned('homeassistant.local');
  await mkdir(join(folder, 'ssl'));
  await writeFile(join(folder, 'ssl/privkey.pem'), key);
  await writeFile(join(folder, 'ssl/fullchain.pem'), cert);
  const config = join(folder, 'nginx.conf');
  await writeFile(config, nginxConfig(folder, ssl, ports));
  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${ports.homeAssistantPort}/`).catch(() => null);
    return answer?.status === 404;
  };
  return launch({ program, folder, args: ['-p', folder, '-c', config, '-e', 'stderr'], isReady });
}

/** Files of the app's rootfs/etc/nginx in one; the test supplies the values that its scripts fill in. */
function nginxConfig(folder: string, ssl: boolean, ports: Ports): string {
  const { nodeRedPort, directPort, ingressPort, homeAssistantPort, supervisorPort } = ports;
  // includes/proxy_params.conf
  const toBackend = `
    proxy_http_version 1.1;
    proxy_redirect off;
    proxy_buffering off;
    proxy_read_timeout 86400s;
    proxy_send_timeout 86400s;
    proxy_set_header Accept-Encoding "";
    proxy_set_header Connection $connection_upgrade;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-NginX-Proxy true;
    proxy_set_header X-Real-IP $remote_addr;`;
  // includes/server_params.conf
  const server = `
    root /dev/null;
    client_max_body_size 512m;
    add_header X-Content-Type-Options nosniff;
    add_header X-Robots-Tag none;
    add_header Cache-Control 'no-store, no-cache, must-revalidate, proxy-revalidate, max-age=0';`;
  return `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  gzip on;
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  # includes/upstream.conf
  upstream backend { server 127.0.0.1:${nodeRedPort}; }
  # templates/direct.gtpl, without leave_front_door_open
  server {
    listen ${directPort} default_server${ssl ? ' ssl http2' : ''};
    ${ssl ? `ssl_certificate ${folder}/ssl/fullchain.pem; ssl_certificate_key ${folder}/ssl/privkey.pem;` : ''}
    ${ssl ? 'ssl_protocols TLSv1.2 TLSv1.3;' : ''}
    ${server}
    ${toBackend}
    location = /authentication {
      internal;
      proxy_pass http://127.0.0.1:${supervisorPort}/auth;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header X-Supervisor-Token "${supervisorToken}";
    }
    location /endpoint/ { proxy_pass http://backend; }
    location / {
      auth_request /authentication;
      auth_request_set $auth_status $upstream_status;
      proxy_pass http://backend;
    }
  }
  # templates/ingress.gtpl; there the only address that is let in is that of the Supervisor
  server {
    listen 127.0.0.1:${ingressPort} default_server;
    ${server}
    ${toBackend}
    location / { allow 127.0.0.1; deny all; proxy_pass http://backend; }
  }
  # Home Assistant itself: takes away the path of ingress, for visitors with a session, and passes bodies on as they come.
  server {
    listen 127.0.0.1:${homeAssistantPort} default_server;
    location / { return 404; }
    location ${ingressPath} {
      if ($cookie_${sessionCookie} != "${session}") { return 401; }
      proxy_pass http://127.0.0.1:${ingressPort}/;
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_set_header Host $http_host;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header X-Ingress-Path ${ingressPath.slice(0, -1)};
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }
}
`;
}
