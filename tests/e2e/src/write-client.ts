import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { clientSources } from './client-sources.ts';

/**
 * Writes the generated sources of libs/client from the OpenAPI document of a running system:
 *
 *     npm run client -- --quickstart var/quickstart.json
 */
const { values } = parseArgs({ options: { quickstart: { type: 'string' } } });
if (!values.quickstart)
  throw new Error('--quickstart must name the quickstart file of a running system');
const { base_url } = JSON.parse(await readFile(values.quickstart, 'utf8')) as { base_url: string };
const response = await fetch(`${base_url}/openapi.json`);
for (const [name, text] of Object.entries(await clientSources(await response.json()))) {
  await writeFile(new URL(`../../../libs/client/src/${name}`, import.meta.url), text);
}
