import { readdirSync, readFileSync } from 'node:fs';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { stringify } from 'yaml';
import { changed } from '../checks/change.ts';
import { type Manifest, nameOf } from '../checks/manifests.ts';
import { choices, combinations, credentials, edges, switches } from './components.ts';
import { type Overlay, renderProduction } from './overlay.ts';
import { collect, parameterized } from './parameters.ts';
import { setPlaceholders, withAddresses, withExpressions } from './placeholders.ts';
import { readmeOf, valuesOf } from './readme.ts';
import { ordered, schemaOf } from './schema.ts';
import { templateOf } from './template.ts';
import { testObjects } from './test-pod.ts';

/** An image by its digest. */
export interface Image {
  readonly repository: string;
  readonly digest: string;
}

type Values = Record<string, unknown>;

/**
 * Returns the files of the Helm chart by their paths: the objects of the overlay `production`, in which
 * parts are replaced by values. The default of each value is what the overlay has.
 *
 * @param image the default of the image; without it, that of the overlay
 * @throws Error when the overlay has changed so that a part is missing
 */
export function chartFiles(image?: Image): Map<string, string> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  let overlaid: Values = {};
  const production = (change: (overlay: Overlay) => void) =>
    byName(
      renderProduction((overlay) => {
        const repository = overlay.images[0]!.newName;
        overlaid = {
          image: { repository, tag: version, digest: '', ...image },
          ...setPlaceholders(overlay),
        };
        change(overlay);
      }),
    );

  const parts: Values = {};
  const take = collect((value, part) => setIn(parts, value, withExpressionsIn(part)));
  const prepared = (manifests: Map<string, Manifest>) =>
    new Map(
      [...manifests.values(), ...testObjects(manifests)].map((manifest) => [
        nameOf(manifest),
        parameterized(withAddresses(marked(manifest)), take),
      ]),
    );
  // First, because its parts are the defaults.
  const usual = prepared(production(() => undefined));
  const variants = [...choices, ...combinations].map(({ of, condition, apply }) => ({
    of,
    condition,
    manifests: prepared(production(apply)),
  }));

  setIn(parts, 'objectStore.credentials', credentials[0]);
  setIn(parts, 'database.address', '');
  setIn(parts, 'database.pooler', false);
  setIn(parts, 'database.standbyReports', false);
  setIn(parts, 'database.standbyAddress', '');
  setIn(parts, 'broker.address', '');
  const values = ordered({
    ...overlaid,
    edge: edges[0],
    openshift: false,
    ...Object.fromEntries(Object.keys(switches).map((name) => [name, true])),
    ...parts,
  });
  const schema = schemaOf(values);
  const names = new Set([usual, ...variants.map((each) => each.manifests)].flatMap(keysOf));
  return new Map([
    ['Chart.yaml', stringify(about(version))],
    ['values.yaml', valuesOf(values)],
    ['values.schema.json', JSON.stringify(schema, null, 2)],
    ['README.md', readmeOf(schema)],
    ...['_helpers.tpl', 'NOTES.txt'].map((name): [string, string] => [
      `templates/${name}`,
      readFileSync(`k8s/chart/files/${name}`, 'utf8'),
    ]),
    ...readdirSync('k8s/chart/platforms').map((name): [string, string] => [
      `platforms/${name}`,
      readFileSync(`k8s/chart/platforms/${name}`, 'utf8'),
    ]),
    ...[...names].map((name): [string, string] => [
      `templates/${name.toLowerCase().replace(' ', '-')}.yaml`,
      templateOf(
        usual.get(name),
        variants.map(({ of, condition, manifests }) => ({
          of,
          condition,
          manifest: manifests.get(name),
        })),
      ),
    ]),
  ]);
}

const keysOf = <Key>(map: ReadonlyMap<Key, unknown>): Key[] => [...map.keys()];

/** The objects by kind and name, without the Namespace: Helm needs it before it installs a chart. */
const byName = (manifests: readonly Manifest[]): Map<string, Manifest> =>
  new Map(manifests.filter(({ kind }) => kind !== 'Namespace').map((each) => [nameOf(each), each]));

const about = (version: string) => ({
  apiVersion: 'v2',
  name: 'registrar',
  description: 'Registrar, an HTTP API in front of an e-learning course-delivery server.',
  type: 'application',
  version,
  appVersion: version,
  kubeVersion: '>=1.30.0-0',
});

/** Adds what replaces the hashes in names of ConfigMaps, and a name of the Job that follows its contents. */
function marked(manifest: Manifest): Manifest {
  if (manifest.kind === 'Job')
    return changed(manifest, ['metadata', 'name'], `${manifest.metadata.name}-chart-hash`);
  if (manifest.kind !== 'Deployment') return manifest;
  const { spec } = manifest as Manifest & IDeployment;
  const names = (spec?.template.spec?.containers[0]?.envFrom ?? []).map(
    ({ configMapRef }) => configMapRef?.name,
  );
  return changed(manifest, ['spec', 'template', 'metadata', 'annotations'], {
    'checksum/settings': `chart-settings:${names.join(',')}`,
  });
}

function withExpressionsIn(part: unknown): unknown {
  return JSON.parse(withExpressions(JSON.stringify(part)));
}

function setIn(values: Values, name: string, part: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) values[first] = part;
  else setIn((values[first] ??= {}) as Values, rest.join('.'), part);
}
