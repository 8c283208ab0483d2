// docs/evidence/quality-scale.md: no rule is left out, and every named thing exists.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hasTest, namedIn } from './named-tests';
import { differences, faultAt, readText, root, unless } from './text';

const page = 'docs/evidence/quality-scale.md';

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

function readTierRows(tier: string): Row[] {
  const sections = readText(page).split(/^## /m);
  const section = sections.find((part) => part.startsWith(`${tier}\n`)) ?? '';
  return [...section.matchAll(/^\| `([a-z-]+)` \| .+ \| (\S+) \| (.+) \|$/gm)].map(
    ([, rule = '', state = '', heldBy = '']) => ({ rule, state, heldBy }),
  );
}

export function qualityHasTests(): string[] {
  return Object.entries(rules).flatMap(([tier, names]) => {
    const rows = readTierRows(tier);
    const found = rows.map(({ rule }) => rule);
    const twice = found.filter((rule, at) => found.indexOf(rule) < at).map((rule) => `the rule ${rule} is there twice`);
    const faults = [...differences(found, names.split(/\s+/), 'the rule'), ...twice];
    return [...faults.map((fault) => faultAt(page, `## ${tier}`, fault)), ...rows.flatMap(rowFaults)];
  });
}

function rowFaults({ rule, state, heldBy }: Row): string[] {
  const at = `| \`${rule}\` |`;
  if (state !== 'yes') return unless(state === 'n/a' && heldBy.length > 40, page, at, 'needs yes, or n/a and a reason');
  const named = namedIn(heldBy);
  const missing = named.filter(({ file, title }) =>
    title === undefined ? !existsSync(path.join(root, file)) : !hasTest(file, title),
  );
  return [
    ...unless(named.length > 0, page, at, 'names nothing'),
    ...missing.map(({ file, title = '' }) => faultAt(page, at, `${file} “${title}” is not there`)),
  ];
}
