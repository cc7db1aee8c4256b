import { changed, type Path } from '../checks/change.ts';
import { type Manifest, nameOf } from '../checks/manifests.ts';

/** A place in an object, and the value of the chart that fills it. */
type Parameter = readonly [Path, string];

const replicas = (name: string, prefix: string): Parameter[] =>
  ['min', 'max'].map((which) => [['spec', `${which}${prefix}`], `apps.${name}.replicas.${which}`]);

const byKind: Readonly<Record<string, (name: string) => readonly Parameter[]>> = {
  ConfigMap: (name) => (name === 'dashboard' ? [] : [[['data'], `settings.${name}`]]),
  Deployment: (name) => [
    [['spec', 'template', 'spec', 'containers', 0, 'resources'], `apps.${name}.resources`],
  ],
  HorizontalPodAutoscaler: (name) => replicas(name, 'Replicas'),
  ScaledObject: (name) => [
    ...replicas(name, 'ReplicaCount'),
    ...[1, 2].map((trigger): Parameter => [
      ['spec', 'triggers', trigger, 'metadata', 'serverAddress'],
      'prometheus',
    ]),
  ],
  Ingress: () => [[['spec', 'ingressClassName'], 'ingressClassName']],
  Gateway: () => [[['spec', 'gatewayClassName'], 'gatewayClassName']],
  SecretStore: () => [[['spec', 'provider'], 'secretStore.provider']],
  ObjectStore: () => [
    [['spec', 'configuration', 'destinationPath'], 'objectStore.destinationPath'],
    [['spec', 'configuration', 'endpointURL'], 'objectStore.endpointURL'],
  ],
};

const byName: Readonly<Record<string, readonly Parameter[]>> = {
  'Certificate registrar': [[['spec', 'issuerRef'], 'certificateIssuer']],
  'RabbitmqCluster rabbitmq': ['replicas', 'persistence', 'resources'].map((field) => [
    ['spec', field],
    `broker.${field}`,
  ]),
  'Cluster database': [
    ...['instances', 'storage', 'resources'].map((field): Parameter => [
      ['spec', field],
      `database.${field}`,
    ]),
    [['spec', 'postgresql', 'parameters', 'shared_buffers'], 'database.sharedBuffers'],
  ],
};

const word = (value: string) => `chart-value:${value}`;

/**
 * Puts a word in the place of each part that is a value of the chart.
 *
 * @param take called with the name of each value and with the part that was there
 */
export function parameterized(
  manifest: Manifest,
  take: (value: string, part: unknown) => void,
): Manifest {
  const parameters = [
    ...(byKind[manifest.kind]?.(manifest.metadata.name) ?? []),
    ...(byName[nameOf(manifest)] ?? []),
  ];
  return parameters.reduce((object, [path, value]) => {
    const part = path.reduce<unknown>(
      (place, step) => (place as Record<string, unknown> | undefined)?.[step],
      object,
    );
    if (part === undefined) return object;
    take(value, part);
    return changed(object, path, word(value));
  }, manifest);
}

/**
 * Replaces these words in a text by expressions. JSON is YAML on one line, of whatever type. A
 * `chart-settings:A,B` becomes the checksum of these settings.
 */
export const withValues = (text: string): string =>
  text
    .replaceAll(/"?chart-value:([\w.]+)"?/g, (_word, value: string) => `{{ ${resolved(value)} }}`)
    .replaceAll(/"?chart-settings:([\w,]+)"?/g, (_word, names: string) => {
      const settings = names.split(',').map((name) => `(${resolved(`settings.${name}`)})`);
      return `"{{ print ${settings.join(' ')} | sha256sum }}"`;
    });

/** The expression of a value; expressions in the value count too. */
const resolved = (value: string): string => `tpl (toJson .Values.${value}) $`;
