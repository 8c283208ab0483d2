/** Starts a proxy with a configuration of the page on a loopback port, without TLS and with one user. */
import { chmod, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderFor, launch, programPath, type Server } from '../servers/server-program';
import { replaced, type Proxy } from './recipes';
import { isPortOpen } from '../network/loopback';

const run = promisify(execFile);

/** A user who may open the editor through the proxy. */
export const editor = { user: 'editor', password: 'a password of the proxy' };

interface Prepared {
  readonly program: string;
  readonly folder: string;
  readonly args: readonly string[];
}

type Prepare = (recipe: string, port: number) => Promise<Prepared>;

const prepare: Readonly<Record<Proxy, Prepare>> = {
  async nginx(recipe, port) {
    const program = programPath('nginx', 'nginx');
    const folder = await folderFor('nginx');
    const passwords = join(folder, 'passwords');
    await writeFile(passwords, `${editor.user}:{PLAIN}${editor.password}\n`);
    await chmod(folder, 0o755);
    const server = replaced(
      replaced(recipe, 'listen 443 ssl;', `listen 127.0.0.1:${port};`).replace(/^ *ssl_\w+ .*$/gm, ''),
      '/etc/nginx/node-red.htpasswd',
      passwords,
    );
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
    const config = `worker_processes 1; pid nginx.pid; error_log stderr error; daemon off;
      events { worker_connections 1024; }
      http { access_log off; ${places.join(' ')}
      ${server} }`;
    await writeFile(join(folder, 'nginx.conf'), config);
    return { program, folder, args: ['-p', folder, '-e', 'stderr', '-c', 'nginx.conf'] };
  },

  async HAProxy(recipe, port) {
    const program = programPath('haproxy', 'haproxy');
    const folder = await folderFor('haproxy');
    const config = replaced(
      replaced(recipe, /bind :443 ssl crt \S+/, `bind 127.0.0.1:${port}`),
      /password <[^>]+>/,
      `insecure-password "${editor.password}"`,
    );
    await writeFile(join(folder, 'haproxy.cfg'), config);
    return { program, folder, args: ['-db', '-q', '-f', 'haproxy.cfg'] };
  },

  async Caddy(recipe, port) {
    const program = programPath('caddy', 'caddy');
    const folder = await folderFor('caddy');
    const { stdout } = await run(program, ['hash-password', '--plaintext', editor.password]);
    const { stdout: version } = await run(program, ['version']);
    const [, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
    const server = replaced(
      replaced(recipe, 'home.example.org {', `http://:${port} {\nbind 127.0.0.1\n`),
      '<hash from caddy hash-password>',
      stdout.trim(),
    );
    // The name before version 2.8, as on the page.
    const named = minor < 8 ? replaced(server, 'basic_auth {', 'basicauth {') : server;
    const options = `{\nadmin off\nauto_https off\nstorage file_system ${folder}\n`;
    // One block of options at most, before the first site.
    const whole = named.startsWith('{') ? named.replace(/^\{\n/, () => options) : `${options}}\n${named}`;
    await writeFile(join(folder, 'Caddyfile'), whole);
    const args = ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'];
    // It keeps a copy of its configuration, by default in the user's home.
    return { program: 'env', folder, args: [`XDG_CONFIG_HOME=${folder}`, program, ...args] };
  },
};

export async function startProxy(
  proxy: Proxy,
  { recipe, port }: { readonly recipe: string; readonly port: number },
): Promise<Server> {
  const prepared = await prepare[proxy](recipe, port);
  return launch({ ...prepared, isReady: () => isPortOpen(port) });
}
