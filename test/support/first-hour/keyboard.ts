/** The person without a mouse: shortcuts of the editor, and Tab for everything else. */
import type { Locator } from 'playwright-core';
import { seriesDefaults } from '../../../nodes/cemm-series/config';
import { webhookInDefaults } from '../../../nodes/cemm-webhook-in/config';
import { editor, flowGroup, flowTab, typeButton, typeEntry } from './editor';
import { Person, type Target } from './person';

/** More controls than any dialog has. */
const mostTabs = 150;

const defaults: Readonly<Record<string, object>> = {
  'cemm-series': seriesDefaults,
  'cemm-webhook-in': webhookInDefaults,
};

export class KeyboardPerson extends Person {
  /** Node-RED has no key that adds a node. Its import dialog accepts one as text, such as from a page of documentation. */
  async addNode(type: string): Promise<void> {
    const flow = [
      { id: 'own-flow', type: 'tab', label: 'Own flow' },
      { ...defaults[type], id: 'own-node', type, z: 'own-flow', name: 'own node', x: 200, y: 120, wires: [] },
    ];
    await this.key('import', 'Control+i');
    await this.write('a flow', editor.importText, JSON.stringify(flow));
    await this.press('Import', editor.importButton);
    await this.showTab('Own flow');
  }

  /** Arrows select a node, and Enter opens it. */
  async openNode(label = 'own node'): Promise<void> {
    await this.tabTo(editor.canvas);
    const wanted = await this.seen(flowGroup(label));
    const selected = this.page.locator('.red-ui-flow-node-group.red-ui-flow-node-selected');
    for (let steps = 0; !(await wanted.evaluate(isSelected)); steps += 1) {
      if (steps === mostTabs) throw new Error(`no arrows lead to ${label}`);
      await this.key('next node', (await selected.count()) === 0 ? 'ArrowRight' : await arrow(selected, wanted, steps));
    }
    await this.key('edit', 'Enter');
    await this.locate(editor.tray).waitFor();
  }

  async openExample(name: string, tab: string): Promise<void> {
    const list = this.page.locator(editor.examples);
    const chosen = (text: string): Locator =>
      list.locator('.red-ui-treeList-label.focus').getByText(text, { exact: true });
    await this.key('list of actions', 'Control+Shift+p');
    await this.write('what is wanted', editor.actionText, 'example');
    await this.key('first action', 'Enter');
    await this.tabTo(list.locator('.red-ui-treeList'));
    await this.untilSeen('ArrowDown', chosen('node-red-contrib-cemm'));
    await this.key('open it', 'ArrowRight');
    await list.getByText(name, { exact: true }).waitFor();
    await this.untilSeen('ArrowDown', chosen(name));
    await this.press('Import', editor.importButton);
    await this.showTab(tab);
  }

  async press(what: string, target: Target): Promise<void> {
    await this.tabTo(target);
    await this.key(what, 'Enter');
  }

  async type(what: string, target: Target, text: string): Promise<void> {
    await this.tabTo(target);
    await this.key('all of it', 'Control+a');
    await this.write(what, target, text);
  }

  async choose(what: string, target: Target, value: string): Promise<void> {
    await this.tabTo(target);
    const field = this.locate(target);
    while ((await field.inputValue()) !== value) await this.key(what, 'ArrowDown');
  }

  async chooseType(what: string, field: string, value: string): Promise<void> {
    await this.tabTo(typeButton(field));
    await this.key(`the types of ${what}`, 'ArrowDown');
    const entry = await this.seen(typeEntry(value));
    while (!(await entry.evaluate(hasFocus))) await this.key('next type', 'ArrowDown');
    await this.key(value, 'Enter');
  }

  async confirm(what: 'Done' | 'Add' | 'Update'): Promise<void> {
    const dialog = await this.page.locator(editor.tray).last().elementHandle();
    await this.key(what, 'Control+Enter');
    await dialog.waitForElementState('hidden');
  }

  protected async pressDeploy(): Promise<void> {
    await this.key('deploy', 'Control+d');
  }

  /** The last tab, which exists when the import is done. */
  private async showTab(label: string): Promise<void> {
    await this.seen(flowTab(label));
    await this.locate(editor.importDialog).waitFor({ state: 'hidden' });
    await this.key('next tab', 'Control+BracketRight');
  }

  /** Types into the focused field, or focuses it first. */
  private async write(what: string, target: Target, text: string): Promise<void> {
    const field = await this.seen(target);
    while (!(await field.evaluate(hasFocus))) await this.page.waitForTimeout(50);
    this.count(`type ${what}`);
    await this.page.keyboard.type(text);
  }

  private async untilSeen(key: string, part: Locator): Promise<void> {
    for (let tries = 0; tries < mostTabs; tries += 1) {
      if ((await part.count()) > 0) return;
      await this.key('next', key);
    }
    throw new Error(`${mostTabs} times ${key} did not lead to ${String(part)}: ${this.actions.join(', ')}`);
  }

  private async tabTo(target: Target): Promise<void> {
    const part = await this.seen(target);
    for (let tabs = 0; tabs < mostTabs; tabs += 1) {
      if (await part.evaluate(hasFocus)) return;
      await this.key('next', (await part.evaluate(isBehindFocus)) ? 'Tab' : 'Shift+Tab');
    }
    throw new Error(`${mostTabs} times Tab did not lead to ${String(part)}`);
  }
}

function isSelected(node: Element): boolean {
  return node.classList.contains('red-ui-flow-node-selected');
}

/** The longer direction, and every other time the shorter one, where no node may be. */
async function arrow(from: Locator, to: Locator, step: number): Promise<string> {
  const [here, there] = [await from.first().boundingBox(), await to.boundingBox()];
  if (here === null || there === null) throw new Error('a node is not on the screen');
  const [right, down] = [there.x - here.x, there.y - here.y];
  const isSideways = Math.abs(right) > Math.abs(down) === (step % 2 === 0 || right === 0 || down === 0);
  if (isSideways) return right > 0 ? 'ArrowRight' : 'ArrowLeft';
  return down > 0 ? 'ArrowDown' : 'ArrowUp';
}

/** In tab order; an element without a place in it comes last. */
function isBehindFocus(part: Element): boolean {
  const now = document.activeElement;
  return now === null || (now.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_PRECEDING) === 0;
}

function hasFocus(part: Element): boolean {
  return part === document.activeElement;
}
