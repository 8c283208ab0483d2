/** The editor, the page of the dashboard, and a reading of the demo on it: they are there after `npm start`. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when all three are there. Rejects after `limitMs`, with what is missing. */
export async function demoAnswers(port, limitMs, signal) {
  const address = `http://127.0.0.1:${port}`;
  const sights = {
    'the editor': async () => /<title>Node-RED<\/title>/.test(await text(`${address}/`)),
    'the page of the dashboard': async () => /<div id="app">/.test(await text(`${address}/dashboard/energy`)),
    'a reading of the demo': async () => /"power_house_w":-?\d/.test(await answerToViewer(address)),
  };
  const end = performance.now() + limitMs;
  for (const [what, isThere] of Object.entries(sights)) {
    while (!(await isThere().catch(() => false))) {
      signal.throwIfAborted();
      if (performance.now() > end) throw new Error(`npm start: waited ${limitMs / 1000} s for ${what}`);
      await sleep(500);
    }
    console.log(`── npm start shows ${what}`);
  }
}

/** The first message to a viewer of the page. The dashboard speaks Engine.IO 4 by polling at its start. */
async function answerToViewer(address) {
  const server = `${address}/dashboard/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await text(server)).slice(1));
  const session = `${server}&sid=${sid}`;
  const question = { payload: { viewer: 'viewer', wants: [{ balance: 'now' }] } };
  for (const packet of ['40', `42${JSON.stringify(['widget-send', 'cemm-page-template', question])}`]) {
    await text(session, { method: 'POST', body: packet });
  }
  let received = '';
  for (let polls = 0; polls < 3 && !received.includes('msg-input:'); polls += 1) received += await text(session);
  return received;
}

async function text(url, options = {}) {
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(5000) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer.text();
}
