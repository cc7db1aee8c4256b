import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { chartFiles } from './chart.ts';

/**
 * Writes the Helm chart to `var/chart`. Needs kubectl.
 *
 *     node k8s/chart/main.ts --image registry.example.com/registrar@sha256:…
 */
const { values } = parseArgs({ options: { image: { type: 'string' } } });
const [, repository, digest] = /^(.+)@(sha256:[0-9a-f]{64})$/.exec(values.image ?? '') ?? [];
if (values.image !== undefined && !repository)
  throw new Error('--image must name an image by its digest: NAME@sha256:…');

const directory = join('var', 'chart');
rmSync(directory, { recursive: true, force: true });
for (const [path, text] of chartFiles(repository && digest ? { repository, digest } : undefined)) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}
