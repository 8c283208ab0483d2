/** Writes docs/faults.md from the catalogue. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cataloguePage, projectDir, readCatalogue } from './catalogue';

writeFileSync(resolve(projectDir, 'docs/faults.md'), cataloguePage(readCatalogue()));
