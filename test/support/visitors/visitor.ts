/** A visitor of the dashboard without a login, and what it sends to the template of the page. */
import { type FlowNode, type NodeRed } from '../node-red/node-red';
import { changed, pageFlow } from '../page/page-flow';
import { DashboardSocket, type ServerEvent, type SocketPlace } from './dashboard-socket';
import { isRecord } from '../../../src/checks/record';
import type { Question } from '../../../nodes/cemm-page/page/messages';

export const dashboardModules = ['@flowfuse/node-red-dashboard'];
export const template = 'cemm-page-template';
const base = 'cemm-live-base';

/** The example as a dashboard was before: what a browser sends to a template is kept for all. */
export function unprotected(): FlowNode[] {
  return changed(pageFlow(), { [base]: { acceptsClientConfig: ['ui-notification', 'ui-control'] } });
}

/** Events by which a browser can send to a template. */
const events = ['widget-send', 'widget-action', 'widget-change'] as const;

/** Leaves a mark in the browser that runs it, and takes what the editor keeps there. */
export const script = `<template><div class="forged">forged</div></template>
<script>export default { mounted() { window.stolen = localStorage.getItem('auth-tokens') ?? 'nothing'; } }</script>`;

/** The same message in every form that Dashboard takes. */
function forms(msg: object): unknown[] {
  return [msg, [msg], [[msg]], [[[msg]]], { ...msg, _client: {} }, { ...msg, _client: { socketId: '' } }];
}

export function openSocket(nodeRed: NodeRed, place: Partial<SocketPlace> = {}): Promise<DashboardSocket> {
  return DashboardSocket.opened({ port: nodeRed.port, ...place });
}

/** Sends each form of the message by each event. */
export async function sendAll(socket: DashboardSocket, msg: object): Promise<void> {
  for (const event of events) for (const form of forms(msg)) await socket.emit(event, template, form);
}

export async function askQuestions(socket: DashboardSocket, viewer: string, wants: readonly Question[]): Promise<void> {
  await socket.emit('widget-send', template, { payload: { viewer, wants } });
}

/** What a message to the page has; nothing for another event. */
export function payloadIn({ name, args: [msg] }: ServerEvent): Readonly<Record<string, unknown>> {
  const payload = name === `msg-input:${template}` && isRecord(msg) ? msg['payload'] : null;
  return isRecord(payload) ? payload : {};
}

/** The answers in a message to the page. */
export function answersIn(event: ServerEvent): Record<string, { state?: unknown }> {
  const { answers } = payloadIn(event);
  return isRecord(answers) ? (answers as Record<string, { state?: unknown }>) : {};
}
