/** The statements of docs/webhook-proxies.md about its recipes. test/campaigns/servers/webhook-proxies.test.ts attacks them. */
import should from 'should';
import { readPage } from '../../../scripts/docs/lint-docs/page';
import { proxies, recipeOf } from '../../support/proxies/recipes';

const { prose } = readPage('docs/webhook-proxies.md');
const recipes = ['nginx', 'HAProxy', 'Caddy', 'Traefik'];

describe('the recipes for reverse proxies', () => {
  it('say which of them run in the tests', () => {
    const tested = /^\| (.+) \| yes: /m.exec(prose)?.[1]?.split(', ');
    should(tested).eql([...proxies]);
    const untested = /^\| (.+) \| \*\*no\*\*: /m.exec(prose)?.[1]?.split(', ');
    should([...(tested ?? []), ...(untested ?? [])]).eql(recipes);
  });

  for (const name of recipes) {
    it(`${name}: sends deliveries to a port of their own, POST alone, to a fixed path`, () => {
      const recipe = recipeOf(name);
      recipe.should.match(/127\.0\.0\.1:1881/).and.match(/127\.0\.0\.1:1880/);
      recipe.should.match(/limit_except POST|METH_POST|method POST|Method\(`POST`\)/);
      recipe.should.match(/proxy_pass \S+\/cemm;|set-uri \/cemm|rewrite \* \/cemm|replacePath:\s+path: \/cemm/);
    });
  }
});
