import should from 'should';
import { asCommonJs, importsOf, onceName } from '../../../scripts/build/commonjs';

describe('CommonJS of a bundle', () => {
  const loaded = (module: string): string => `require("./${module}.js")`;
  const plain = (module: string): string => asCommonJs(module, { isImported: false, loaded });

  it('makes constants of imports', () => {
    plain('import { a, b as c } from "./part.js";\nuse(a, c);').should.equal(
      '"use strict";const { a, b: c } = require("./part.js");\nuse(a, c);',
    );
    plain('import whole from "axios";').should.equal('"use strict";const whole = require("axios");');
    plain('import * as all from "node:path";').should.equal('"use strict";const all = require("node:path");');
    plain('import whole, { part } from "node:path";').should.equal(
      '"use strict";const whole = require("node:path"), { part } = require("node:path");',
    );
  });

  it('loads no file from which nothing is imported', () => {
    plain('import "./part.js";\nuse();').should.equal('"use strict";\nuse();');
  });

  it('gives all exports at once to the other files of the package', () => {
    plain('const x = 1;\nexport { x as a, y };').should.equal(
      '"use strict";const x = 1;\nmodule.exports = { a: x, y: y };',
    );
    plain('const x = 1;\nexport { x as default };').should.equal('"use strict";const x = 1;\nmodule.exports = x;');
  });

  it('names each export where programs import it', () => {
    asCommonJs('const x = 1;\nexport { x as answer };', { isImported: true, loaded }).should.match(
      /^"use strict";Object\.defineProperty\(exports,"__esModule",\{value:true\}\);.*\nexports\.answer = x;$/,
    );
  });

  it('keeps the first line of a command, and the numbers of the other lines', () => {
    const lines = plain('#!/usr/bin/env node\nimport {\n  a\n} from "./part.js";\nuse(a);').split('\n');
    should(lines[0]).equal('#!/usr/bin/env node');
    should(lines[4]).equal('use(a);');
  });

  it('loads on demand what is marked', () => {
    plain('const load = () => cemmOnDemand("node");').should.equal(
      '"use strict";const load = () => require("./node.js");',
    );
  });

  it('has a variable for a package that is loaded on demand', () => {
    asCommonJs('const zone = () => cemmOnDemand("luxon").IANAZone;', {
      isImported: false,
      loaded: (name) => `(${onceName(name)} ??= require("${name}"))`,
    }).should.equal('"use strict";let once_luxon;const zone = () => (once_luxon ??= require("luxon")).IANAZone;');
  });

  it('refuses exports without names', () => {
    should(() => plain('export * from "./part.js";')).throw(/something else than names/);
  });

  it('takes imports from elsewhere if it is told where', () => {
    const imported = (name: string): string => `onPage.${name}`;
    asCommonJs('import { a as b } from "part";', { isImported: false, loaded, imported }).should.equal(
      '"use strict";const { a: b } = onPage.part;',
    );
    importsOf('import { a as b, c } from "part";\nimport "more";').should.deepEqual([
      { from: 'part', names: ['a', 'c'] },
      { from: 'more', names: [] },
    ]);
  });
});
