import { readFileSync } from 'node:fs';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { stringify } from 'yaml';
import { changed } from '../checks/change.ts';
import { type Manifest, nameOf } from '../checks/manifests.ts';
import { choices, edges, switches } from './components.ts';
import { type Overlay, renderProduction } from './overlay.ts';
import { parameterized } from './parameters.ts';
import { setPlaceholders, withExpressions } from './placeholders.ts';
import { schemaOf } from './schema.ts';
import { templateOf } from './template.ts';

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
  const take = (value: string, part: unknown) => setIn(parts, value, withExpressionsIn(part));
  const prepared = (manifests: Map<string, Manifest>) =>
    new Map(
      [...manifests].map(([name, manifest]) => [name, parameterized(marked(manifest), take)]),
    );
  const variants = choices.map(({ condition, apply }) => ({
    condition,
    manifests: prepared(production(apply)),
  }));
  const usual = prepared(production(() => undefined));

  const values = {
    ...overlaid,
    edge: edges[0],
    ...Object.fromEntries(Object.keys(switches).map((name) => [name, true])),
    ...parts,
  };
  const names = new Set([usual, ...variants.map((each) => each.manifests)].flatMap(keysOf));
  return new Map([
    ['Chart.yaml', stringify(about(version))],
    ['values.yaml', stringify(values, { lineWidth: 0 })],
    ['values.schema.json', JSON.stringify(schemaOf(values), null, 2)],
    ['templates/_image.tpl', imageTemplate],
    ...[...names].map((name): [string, string] => [
      `templates/${name.toLowerCase().replace(' ', '-')}.yaml`,
      templateOf(
        usual.get(name),
        variants.map(({ condition, manifests }) => ({ condition, manifest: manifests.get(name) })),
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

const imageTemplate = `{{- define "registrar.image" -}}
{{- $image := .Values.image -}}
{{ $image.repository }}{{ if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag }}{{ end }}
{{- end }}
`;

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
