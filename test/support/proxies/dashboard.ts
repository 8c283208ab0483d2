/** A dashboard with one button, and a client that presses it through any path. */
import { collector, type FlowNode } from '../node-red/node-red';
import { pollSocket, sessionIn, type SocketPlace } from '../visitors/dashboard-socket';

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

/**
 * True if the event server accepted the press.
 * @param path of the event server, or one that a proxy may mistake for another
 */
export async function pressButton(port: number, path: string, headers: SocketPlace['headers'] = {}): Promise<boolean> {
  const ask = (session: string, body?: string) => pollSocket({ port, path, headers }, null, session, body);
  const session = sessionIn(await ask(''));
  if (session === undefined) return false;
  await ask(session, '40');
  await ask(session);
  const pressed = await ask(session, '42["widget-action","dash-button",{"payload":"open"}]');
  return pressed.status === 200;
}
