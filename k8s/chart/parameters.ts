import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { isDeepStrictEqual } from 'node:util';
import { changed, type Path } from '../checks/change.ts';
import { type Manifest, nameOf } from '../checks/manifests.ts';
import { networkParameters } from './network-parameters.ts';
import { type Form, wordOf } from './words.ts';

/** A place in an object, and the value of the chart that fills it. */
export interface Parameter {
  readonly path: Path;
  /** The name of the value, or several: the first that is not empty fills the place. */
  readonly value: string | readonly string[];
  readonly form?: Form;
  /** The default of a value whose place the overlay does not have. */
  readonly absent?: unknown;
}

/** Says whether a value of this name has this default; the first part that is taken becomes the default. */
export type Take = (value: string, part: unknown) => boolean;

const at = (path: string, value: string): Parameter => ({ path: path.split('.'), value });

const replicas = (name: string, prefix: string): Parameter[] =>
  ['min', 'max'].map((which) => at(`spec.${which}${prefix}`, `apps.${name}.replicas.${which}`));

/** Names of values have no dashes, which templates read as subtractions. */
const camelCase = (name: string): string =>
  name.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());

/** A field that is left out while its value is empty. */
const optional = (path: Path, value: Parameter['value'], absent: unknown): Parameter => ({
  path,
  value,
  form: 'optional',
  absent,
});

/** Labels or annotations, beside those that the object has. */
const added = (manifest: Manifest, path: Path, value: Parameter['value']): Parameter =>
  partAt(manifest, path) === undefined
    ? { path, value, form: 'optional-strings', absent: {} }
    : { path: [...path, wordOf('entries', value)], value, form: 'entries', absent: {} };

/**
 * What pods have in common; values of the app precede those of all.
 *
 * @param place the path to the pod or its template
 */
function podParameters(manifest: Manifest, place: Path, app?: string): Parameter[] {
  const named = (field: string) =>
    app === undefined ? `pods.${field}` : [`apps.${app}.${field}`, `pods.${field}`];
  const spec = [...place, 'spec'];
  const { volumes = [] } = partAt(manifest, spec) as IPodSpec;
  return [
    ...['labels', 'annotations'].map((field) =>
      added(manifest, [...place, 'metadata', field], named(field)),
    ),
    {
      path: [...spec, 'nodeSelector'],
      value: named('nodeSelector'),
      form: 'optional-strings',
      absent: {},
    },
    optional([...spec, 'tolerations'], named('tolerations'), []),
    optional([...spec, 'affinity'], named('affinity'), {}),
    optional([...spec, 'imagePullSecrets'], 'imagePullSecrets', []),
    ...volumes.flatMap(({ name }, index) =>
      name === 'database-ca' || name === 'broker-ca'
        ? [
            {
              path: [...spec, 'volumes', index, 'secret', 'secretName'],
              value: name.replace('-ca', '.authoritySecret'),
            },
          ]
        : [],
    ),
  ];
}

const byKind: Readonly<Record<string, (manifest: Manifest) => readonly Parameter[]>> = {
  ConfigMap: ({ metadata: { name } }) =>
    name === 'dashboard' ? [] : [{ path: ['data'], value: `settings.${name}`, form: 'strings' }],
  Deployment: (manifest) => [
    {
      path: ['spec', 'template', 'spec', 'containers', 0, 'resources'],
      value: `apps.${manifest.metadata.name}.resources`,
    },
    ...podParameters(manifest, ['spec', 'template'], manifest.metadata.name),
  ],
  Job: (manifest) => podParameters(manifest, ['spec', 'template']),
  Pod: (manifest) => podParameters(manifest, []),
  ServiceAccount: (manifest) =>
    ['labels', 'annotations'].map((field) =>
      added(
        manifest,
        ['metadata', field],
        `serviceAccounts.${camelCase(manifest.metadata.name)}.${field}`,
      ),
    ),
  HorizontalPodAutoscaler: ({ metadata }) => replicas(metadata.name, 'Replicas'),
  ScaledObject: ({ metadata }) => [
    ...replicas(metadata.name, 'ReplicaCount'),
    ...[1, 2].map((trigger) => at(`spec.triggers.${trigger}.metadata.serverAddress`, 'prometheus')),
  ],
  NetworkPolicy: networkParameters,
  Ingress: (manifest) => [
    at('spec.ingressClassName', 'ingressClassName'),
    added(manifest, ['metadata', 'annotations'], 'edgeAnnotations'),
  ],
  Gateway: (manifest) => [
    at('spec.gatewayClassName', 'gatewayClassName'),
    added(manifest, ['metadata', 'annotations'], 'edgeAnnotations'),
  ],
  SecretStore: () => [at('spec.provider', 'secretStore.provider')],
  ScheduledBackup: () => [at('spec.schedule', 'objectStore.schedule')],
  ObjectStore: () => [
    at('spec.retentionPolicy', 'objectStore.retentionPolicy'),
    at('spec.configuration.destinationPath', 'objectStore.destinationPath'),
    ...(
      [
        ['endpointURL', 'objectStore.endpointURL'],
        ['data.encryption', 'objectStore.encryption'],
        ['wal.encryption', 'objectStore.encryption'],
      ] as const
    ).map(([path, value]): Parameter => ({
      ...at(`spec.configuration.${path}`, value),
      form: 'optional',
    })),
    at('spec.instanceSidecarConfiguration.resources', 'objectStore.resources'),
  ],
};

const byName: Readonly<Record<string, (manifest: Manifest) => readonly Parameter[]>> = {
  'Certificate registrar': () => [at('spec.issuerRef', 'certificateIssuer')],
  'RabbitmqCluster rabbitmq': (manifest) => [
    { ...at('spec.image', 'broker.image'), form: 'image' },
    ...['replicas', 'persistence', 'resources', 'affinity'].map((field) =>
      at(`spec.${field}`, `broker.${field}`),
    ),
    optional(['spec', 'tolerations'], 'broker.tolerations', []),
    optional(['spec', 'imagePullSecrets'], 'imagePullSecrets', []),
    ...['labels', 'annotations'].map((field) =>
      added(manifest, ['metadata', field], `broker.${field}`),
    ),
  ],
  'Cluster database': () => [
    { ...at('spec.imageName', 'database.image'), form: 'image' },
    ...['instances', 'storage', 'walStorage', 'resources', 'affinity'].map((field) =>
      at(`spec.${field}`, `database.${field}`),
    ),
    at('spec.postgresql.parameters.shared_buffers', 'database.sharedBuffers'),
    { ...at('spec.postgresql.synchronous', 'database.synchronous'), form: 'optional' },
    at('spec.bootstrap', 'database.bootstrap'),
    optional(['spec', 'externalClusters'], 'database.externalClusters', []),
    at('spec.plugins.0.parameters.serverName', 'objectStore.serverName'),
    optional(['spec', 'imagePullSecrets'], 'imagePullSecrets', []),
    optional(['spec', 'inheritedMetadata'], 'database.inheritedMetadata', {}),
    optional(['spec', 'serviceAccountTemplate'], 'database.serviceAccountTemplate', {}),
  ],
};

/** The defaults of values that have another form than the place that they fill. */
const defaultOf: Partial<Record<Form, (part: unknown) => unknown>> = {
  image: (part) => {
    const [, repository, tag, digest] = /^(.+):([^:@]+)@(sha256:.+)$/.exec(String(part))!;
    return { repository, tag, digest };
  },
  items: (part) => [part],
};

/**
 * Puts a word in the place of each part that is a value of the chart. A part that differs from the value's default
 * stays: it belongs to the choice that made it.
 */
export function parameterized(manifest: Manifest, take: Take): Manifest {
  const parameters = [
    ...(byKind[manifest.kind]?.(manifest) ?? []),
    ...(byName[nameOf(manifest)]?.(manifest) ?? []),
  ];
  return parameters.reduce((object, { path, value, form = 'value', absent }) => {
    const found = partAt(object, path) ?? absent;
    const part = found === undefined ? undefined : (defaultOf[form]?.(found) ?? found);
    const names = [value].flat();
    if (part === undefined || !names.map((name) => take(name, part)).every(Boolean)) return object;
    return changed(object, path, form === 'entries' ? null : wordOf(form, value));
  }, manifest);
}

const partAt = (manifest: Manifest, path: Path): unknown =>
  path.reduce<unknown>(
    (place, step) => (place as Record<string | number, unknown> | undefined)?.[step],
    manifest,
  );

/** A {@link Take} that collects the defaults. */
export function collect(setDefault: (value: string, part: unknown) => void): Take {
  const taken = new Map<string, unknown>();
  return (value, part) => {
    if (taken.has(value)) return isDeepStrictEqual(taken.get(value), part);
    taken.set(value, part);
    setDefault(value, part);
    return true;
  };
}
