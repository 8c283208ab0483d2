/** A dashboard with one button, and a client that presses it through any path. */
import { request } from 'node:http';
import { collector, type FlowNode } from '../node-red/node-red';

export const dashboardModules = ['@flowfuse/node-red-dashboard'];

/** The messages of the button go to the collector `pressed`. */
export function dashboard(): FlowNode[] {
  return [
    { id: 'dash', type: 'ui-base', name: '', path: '/dashboard', navigationStyle: 'default' },
    { id: 'dash-theme', type: 'ui-theme', name: '', colors: {}, sizes: {} },
    {
      id: 'dash-page',
      type: 'ui-page',
      name: '',
      ui: 'dash',
      path: '/home',
      layout: 'grid',
      theme: 'dash-theme',
      order: 1,
    },
    { id: 'dash-group', type: 'ui-group', name: '', page: 'dash-page', width: 6, height: 1, order: 1 },
    {
      id: 'dash-button',
      type: 'ui-button',
      z: 'flow',
      group: 'dash-group',
      name: '',
      label: 'Open the door',
      payload: 'open',
      payloadType: 'str',
      wires: [['pressed']],
    },
    ...collector('pressed'),
  ];
}

interface Way {
  readonly port: number;
  /** Path of the event server, or one that a proxy may mistake for another. */
  readonly path: string;
  readonly authorization?: string;
}

/** True if the event server accepted the press. It speaks Engine.IO 4 by polling, like the dashboard at its start. */
export async function pressButton(way: Way): Promise<boolean> {
  const opened = await pollThroughProxy(way, '', null);
  const sid = /^0.*"sid":"([^"]+)"/.exec(opened.text)?.[1];
  if (sid === undefined) return false;
  await pollThroughProxy(way, sid, '40');
  await pollThroughProxy(way, sid, null);
  const pressed = await pollThroughProxy(way, sid, '42["widget-action","dash-button",{"payload":"open"}]');
  return pressed.status === 200;
}

function pollThroughProxy(way: Way, sid: string, body: string | null): Promise<{ status: number; text: string }> {
  const { port, path, authorization } = way;
  const query = `EIO=4&transport=polling${sid === '' ? '' : `&sid=${sid}`}`;
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path: `${path}?${query}`,
        method: body === null ? 'GET' : 'POST',
        agent: false,
        headers: {
          'content-type': 'text/plain;charset=UTF-8',
          ...(authorization === undefined ? {} : { authorization }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text });
        });
      },
    );
    call.on('error', reject);
    call.end(body ?? undefined);
  });
}
