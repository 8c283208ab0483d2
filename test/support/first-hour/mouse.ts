/** The person with a mouse: clicks everything, and types only text. */
import { editor, flowNode, flowTab, paletteNode, typeButton, typeEntry } from './editor';
import { Person, type Target } from './person';

export class MousePerson extends Person {
  async addNode(type: string): Promise<void> {
    const entry = await this.find(paletteNode(type));
    this.count(`drag ${type} to the canvas`);
    await entry.dragTo(this.locate(editor.canvas), { targetPosition: { x: 250, y: 150 } });
  }

  async openNode(label = ''): Promise<void> {
    const node = await this.find(flowNode(label));
    this.count(`double-click ${label === '' ? 'the node' : label}`);
    await node.dblclick();
  }

  async openExample(name: string, tab: string): Promise<void> {
    await this.import(name);
    await this.press('the new tab', flowTab(tab));
  }

  /** Opens the list of the package's examples. */
  async openExamples(): Promise<void> {
    await this.key('import', 'Control+i');
    // The dialog opens on the clipboard tab, and focuses it a moment later.
    await this.page.locator(`${editor.importText}:focus`).waitFor();
    await this.press('Examples', editor.examplesTab);
    const examples = this.page.locator(editor.examples);
    await this.press('node-red-contrib-cemm', examples.getByText('node-red-contrib-cemm', { exact: true }));
  }

  /** Imports without a check of the flow. */
  async import(name: string): Promise<void> {
    const list = this.page.locator(editor.examples);
    await this.openExamples();
    const example = await this.find(list.getByText(name, { exact: true }));
    await example.hover();
    await this.picture(`import-${name}`, editor.importDialog);
    this.count(`double-click ${name}`);
    await example.dblclick();
  }

  async press(what: string, target: Target): Promise<void> {
    const part = await this.find(target);
    this.count(`click ${what}`);
    await part.click();
  }

  async type(what: string, target: Target, text: string): Promise<void> {
    const part = await this.find(target);
    this.count(`type ${what}`);
    await part.click({ clickCount: 3 });
    await this.page.keyboard.type(text);
  }

  /** Two actions: the list opens on one click and closes on the next. */
  async choose(what: string, target: Target, value: string): Promise<void> {
    const part = await this.find(target);
    this.count(`open ${what}`);
    await part.click();
    this.count(`choose ${value}`);
    await part.selectOption(value);
  }

  async chooseType(what: string, field: string, value: string): Promise<void> {
    await this.press(`the types of ${what}`, typeButton(field));
    await this.press(value, typeEntry(value));
  }

  async confirm(what: 'Done' | 'Add' | 'Update'): Promise<void> {
    await this.press(what, what === 'Done' ? editor.done : editor.add);
  }

  protected async pressDeploy(): Promise<void> {
    await this.press('Deploy', editor.deploy);
  }
}
