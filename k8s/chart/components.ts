import type { Overlay } from './overlay.ts';

/** A value that adds or removes components, other than its default. */
export interface Choice {
  /** The name of the value; an installation has one of its choices at most. */
  readonly of: string;
  /** What the value is; of an address, an example. */
  readonly value: string | boolean;
  /** The condition of a template that is true for this choice. */
  readonly condition: string;
  /** Makes the same choice in the overlay `production`. */
  readonly apply: (overlay: Overlay) => void;
}

/** How clients reach the installation; the first is the default. */
export const edges = ['traefik', 'ingress', 'gateway-api', 'none'] as const;

/** How the database's pods authenticate at the object store; the first is the default. */
export const credentials = [
  's3-key',
  's3-role',
  'azure-key',
  'azure-role',
  'google-key',
  'google-role',
] as const;

/** The components that a value of true or false adds or removes; all are on by default. */
export const switches = {
  externalSecrets: ['external-secrets'],
  backups: ['backups'],
  networkPolicies: ['network-policies'],
  console: ['console'],
  keda: ['keda', 'keda-requests'],
  monitoring: ['monitoring'],
  priorityClasses: ['priority'],
} as const;

/** Every choice other than the defaults. */
export const choices: readonly Choice[] = [
  ...edges.slice(1).map((edge) => ({
    of: 'edge',
    value: edge,
    condition: `(eq .Values.edge "${edge}")`,
    apply: (overlay: Overlay) => setEdge(overlay, edge),
  })),
  ...Object.entries(switches).map(([value, names]) => ({
    of: value,
    value: false,
    condition: `(not .Values.${value})`,
    apply: (overlay: Overlay) => removeComponents(overlay, names),
  })),
  ...credentials.slice(1).map((kind) => ({
    of: 'objectStore.credentials',
    value: kind,
    condition: `(eq .Values.objectStore.credentials "${kind}")`,
    apply: (overlay: Overlay) => addComponents(overlay, [`backups-${kind}`]),
  })),
  {
    of: 'database.address',
    value: 'db.example.com:5432/registrar',
    condition: '.Values.database.address',
    apply: (overlay) => {
      removeComponents(overlay, ['cloudnative-pg', 'backups']);
      addComponents(overlay, ['existing-postgresql']);
    },
  },
  {
    of: 'database.pooler',
    value: true,
    condition: '.Values.database.pooler',
    apply: (overlay) => addComponents(overlay, ['pooler']),
  },
  {
    of: 'database.standbyReports',
    value: true,
    condition: '.Values.database.standbyReports',
    apply: (overlay) => addComponents(overlay, ['standby-reports']),
  },
  {
    of: 'broker.address',
    value: 'mq.example.com:5671/registrar',
    condition: '.Values.broker.address',
    apply: (overlay) => {
      removeComponents(overlay, ['rabbitmq-cluster-operator']);
      addComponents(overlay, ['existing-rabbitmq']);
    },
  },
  {
    of: 'openshift',
    value: true,
    condition: '.Values.openshift',
    apply: (overlay) => addComponents(overlay, ['openshift']),
  },
];

/** Two choices that together make something else of an object than each of them. */
export const combinations: readonly Choice[] = [
  {
    of: 'edge',
    value: 'gateway-api',
    condition: '(and (eq .Values.edge "gateway-api") (not .Values.console))',
    apply: (overlay) => {
      setEdge(overlay, 'gateway-api');
      removeComponents(overlay, switches.console);
    },
  },
];

function setEdge(overlay: Overlay, edge: (typeof edges)[number]): void {
  removeComponents(overlay, edge === 'ingress' ? ['traefik'] : ['ingress', 'traefik']);
  // First: the console adds its path.
  if (edge === 'gateway-api') overlay.components.unshift(`../../components/${edge}`);
}

function addComponents(overlay: Overlay, names: readonly string[]): void {
  overlay.components.push(...names.map((name) => `../../components/${name}`));
}

/** The files of the overlay that belong to a component alone. */
const filesOf: Readonly<Record<string, string>> = {
  'external-secrets': 'secret-store.yaml',
  backups: 'backups.yaml',
  'cloudnative-pg': 'database.yaml',
  'rabbitmq-cluster-operator': 'broker.yaml',
};

/** Removes components, and the files of the overlay that belong to them alone. */
function removeComponents(overlay: Overlay, names: readonly string[]): void {
  const removed = new Set(names);
  const files = names.map((name) => filesOf[name]);
  overlay.components = overlay.components.filter((path) => !removed.has(path.split('/').at(-1)!));
  overlay.resources = overlay.resources.filter((path) => !files.includes(path));
  overlay.patches = overlay.patches.filter(({ path }) => !path || !files.includes(path));
  // Kustomize refuses a replacement whose source is missing.
  if (removed.has('monitoring'))
    overlay.replacements = overlay.replacements.filter(
      ({ source }) => source.kind !== 'PrometheusRule',
    );
}
