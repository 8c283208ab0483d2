/** The page as one text: what Dashboard can take apart. */
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import should from 'should';
import ts from 'typescript';
import { textsOfPage } from '../../../nodes/cemm-page/texts';
import { pageText } from '../../../scripts/build/page';

const root = path.resolve(__dirname, '../../..');
/** What the script of a ui-template may have (parseSFC of Dashboard 2). */
const parts = ['data', 'watch', 'methods', 'mounted', 'unmounted'];

describe('the text of the page', function () {
  this.timeout(60_000);
  let text = '';
  let script: ts.SourceFile;

  before(async () => {
    text = await pageText(root);
    const [, code = ''] = /<script>([^]*)<\/script>/.exec(text) ?? [];
    script = ts.createSourceFile('page.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  });

  it('is at most 101 kB with the texts of a language, and 37 kB compressed', () => {
    for (const texts of Object.values(textsOfPage)) {
      const sent = text + JSON.stringify(texts);
      should(Buffer.byteLength(sent)).be.belowOrEqual(101_000);
      should(gzipSync(sent).length).be.belowOrEqual(37_000);
    }
  });

  it('has the texts of no language', () => {
    for (const { saySun } of Object.values(textsOfPage)) should(text).not.containEql(saySun);
  });

  it('has one template, one script and one style', () => {
    for (const tag of ['script', 'style']) should(text.split(`<${tag}>`).length).equal(2);
    should(text).startWith('<template>');
  });

  it('has a script of one statement with the parts that Dashboard keeps', () => {
    should(script.statements.length).equal(1);
    const [statement] = script.statements;
    const names =
      statement !== undefined && ts.isExportAssignment(statement) && ts.isObjectLiteralExpression(statement.expression)
        ? statement.expression.properties.map((property) => property.name?.getText())
        : [];
    should(names).eql(parts);
  });

  it('has no field of a class, which Dashboard cannot write', () => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyDeclaration(node) || ts.isClassStaticBlockDeclaration(node) || ts.isPrivateIdentifier(node))
        found.push(node.getText().slice(0, 40));
      ts.forEachChild(node, visit);
    };
    visit(script);
    should(found).eql([]);
  });
});
