/** docs/evidence/quality-scale.md: no rule is left out, and every named thing exists. */
import should from 'should';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hasTest, namedIn } from '../../support/docs/named-tests';

const root = path.resolve(__dirname, '../../..');

/** The rules of Home Assistant's integration quality scale, by tier. */
const rules = {
  Bronze: `action-setup appropriate-polling brands common-modules config-flow config-flow-test-coverage
    dependency-transparency docs-actions docs-conditions docs-high-level-description docs-installation-instructions
    docs-removal-instructions docs-triggers entity-event-setup entity-unique-id has-entity-name runtime-data
    test-before-configure test-before-setup unique-config-entry`,
  Silver: `action-exceptions config-entry-unloading docs-configuration-parameters docs-installation-parameters
    entity-unavailable integration-owner log-when-unavailable parallel-updates reauthentication-flow test-coverage`,
  Gold: `devices diagnostics discovery discovery-update-info docs-data-update docs-examples docs-known-limitations
    docs-supported-devices docs-supported-functions docs-troubleshooting docs-use-cases dynamic-devices entity-category
    entity-device-class entity-disabled-by-default entity-translations exception-translations icon-translations
    reconfiguration-flow repair-issues stale-devices`,
  Platinum: 'async-dependency inject-websession strict-typing',
} as const;

interface Row {
  readonly rule: string;
  readonly state: string;
  readonly heldBy: string;
}

const page = readFileSync(path.join(root, 'docs/evidence/quality-scale.md'), 'utf8');

function rowsOf(tier: string): Row[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${tier}\n`)) ?? '';
  return [...section.matchAll(/^\| `([a-z-]+)` \| .+ \| (\S+) \| (.+) \|$/gm)].map(
    ([, rule = '', state = '', heldBy = '']) => ({ rule, state, heldBy }),
  );
}

describe('the quality scale', () => {
  for (const [tier, names] of Object.entries(rules)) {
    const rows = rowsOf(tier);

    it(`${tier}: has every rule once`, () => {
      rows
        .map(({ rule }) => rule)
        .sort()
        .should.eql(names.split(/\s+/).sort());
    });

    for (const { rule, state, heldBy } of rows) {
      it(`${rule}: ${state}`, () => {
        if (state !== 'yes') {
          should(state).equal('n/a');
          heldBy.length.should.be.above(40);
          return;
        }
        const references = namedIn(heldBy);
        references.should.not.be.empty();
        for (const { file, title } of references) {
          existsSync(path.join(root, file)).should.be.true(`${file} is there`);
          if (title === undefined) continue;
          hasTest(file, title).should.be.true(`${file} has the test “${title}”`);
        }
      });
    }
  }
});
