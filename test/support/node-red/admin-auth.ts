/** A login for the editor: one user with read permission only, and one who may use the actions of the dialogs but not deploy. */
import type { NodeRed } from './node-red';

export const password = 'a password of the tests';

/** For `settings` of NodeRed.start. */
export const adminAuth = `adminAuth: (() => {
  const permissions = { admin: '*', reader: 'read', checker: ['read', 'cemm-connection.write', 'cemm-webhook-in.write'] };
  const userOf = (username) =>
    Object.hasOwn(permissions, username) ? { username, permissions: permissions[username] } : null;
  return {
    type: 'credentials',
    users: (username) => Promise.resolve(userOf(username)),
    authenticate: (username, typed) => Promise.resolve(typed === '${password}' ? userOf(username) : null),
  };
})(),`;

/** Blank: all permissions of the user. */
const scopes = { admin: '*', reader: 'read', checker: '' } as const;

export async function tokenFor(nodeRed: NodeRed, username: 'admin' | 'reader' | 'checker'): Promise<string> {
  const scope = scopes[username];
  const form = { client_id: 'node-red-admin', grant_type: 'password', scope, username, password };
  const response = await nodeRed.admin('/auth/token', { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`Node-RED gave ${username} no token (${response.status}).`);
  return token;
}
