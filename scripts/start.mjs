/**
 * `npm start`: Node-RED with this package, the demo monitor and the example dashboard, all on this machine. PORT sets its port, which before-start.mjs has checked.
 * Changes in the editor are kept in .demo/; delete that folder to start over.
 */
import { spawn } from 'node:child_process';
import { access, copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const userDir = process.env.CEMM_DEMO_DIR ?? join(project, '.demo');
const port = Number(process.env.PORT ?? 1880);

await prepareUserDir();
const nodeRed = spawn(
  process.execPath,
  [
    createRequire(import.meta.url).resolve('node-red/red.js'),
    '--userDir',
    userDir,
    '--settings',
    join(userDir, 'settings.js'),
    '--port',
    String(port),
  ],
  { stdio: ['inherit', 'pipe', 'inherit'] },
);

// Node-RED prints these two in either order.
const awaited = new Set(['Server now running', 'Started flows']);
let said = '';
nodeRed.stdout.on('data', (chunk) => {
  process.stdout.write(chunk);
  if (awaited.size === 0) return;
  said += String(chunk);
  for (const words of awaited) if (said.includes(words)) awaited.delete(words);
  if (awaited.size === 0) announce();
});
nodeRed.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => nodeRed.kill('SIGTERM'));

// If npm alone is killed, no signal arrives here: Node-RED must not stay behind and hold the port.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) nodeRed.kill('SIGTERM');
}, 500).unref();

async function prepareUserDir() {
  const modules = join(userDir, 'node_modules');
  await mkdir(modules, { recursive: true });
  const link = join(modules, 'node-red-contrib-cemm');
  await rm(link, { recursive: true, force: true });
  await symlink(project, link, 'junction');
  await writeFile(join(userDir, 'package.json'), '{ "name": "cemm-demo", "private": true }\n');
  await writeFile(
    join(userDir, 'settings.js'),
    `module.exports = {
  flowFile: 'flows.json',
  credentialSecret: 'only the demo',
  uiHost: '127.0.0.1',
  // Only the editor of this Node-RED may change flows.
  httpAdminMiddleware: require(${JSON.stringify(join(project, 'scripts/demo-guard.cjs'))}),
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: { enabled: false } },
};
`,
  );
  const flows = join(userDir, 'flows.json');
  const kept = await access(flows).then(
    () => true,
    () => false,
  );
  if (!kept) await copyFile(join(project, 'examples/energy-page.json'), flows);
}

function announce() {
  console.log(`
  Node-RED editor   http://127.0.0.1:${port}/
  Dashboard         http://127.0.0.1:${port}/dashboard/energy

  The readings come from the built-in demo monitor. Press Ctrl-C to stop.
`);
}
