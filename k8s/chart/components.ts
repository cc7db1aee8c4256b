import type { Overlay } from './overlay.ts';

/** A value that adds or removes components, other than its default. */
export interface Choice {
  /** The condition of a template that is true for this choice. */
  readonly condition: string;
  /** Makes the same choice in the overlay `production`. */
  readonly apply: (overlay: Overlay) => void;
}

/** How clients reach the installation; the first is the default. */
export const edges = ['traefik', 'ingress', 'gateway-api', 'none'] as const;

/** The components that a value of true or false adds or removes; all are on by default. */
export const switches = {
  externalSecrets: ['external-secrets'],
  backups: ['backups'],
  networkPolicies: ['network-policies'],
  keda: ['keda', 'keda-requests'],
  monitoring: ['monitoring'],
  priorityClasses: ['priority'],
} as const;

/** Every choice other than the defaults. */
export const choices: readonly Choice[] = [
  ...edges.slice(1).map((edge) => ({
    condition: `(eq .Values.edge "${edge}")`,
    apply: (overlay: Overlay) => setEdge(overlay, edge),
  })),
  ...Object.entries(switches).map(([value, names]) => ({
    condition: `(not .Values.${value})`,
    apply: (overlay: Overlay) => removeComponents(overlay, names),
  })),
];

function setEdge(overlay: Overlay, edge: (typeof edges)[number]): void {
  removeComponents(overlay, edge === 'ingress' ? ['traefik'] : ['ingress', 'traefik']);
  if (edge === 'gateway-api') overlay.components.push('../../components/gateway-api');
}

/** Removes components, and the files of the overlay that belong to them alone. */
function removeComponents(overlay: Overlay, names: readonly string[]): void {
  const removed = new Set(names);
  overlay.components = overlay.components.filter((path) => !removed.has(path.split('/').at(-1)!));
  if (removed.has('external-secrets'))
    overlay.resources = overlay.resources.filter((path) => path !== 'secret-store.yaml');
  // Kustomize refuses a replacement whose source is missing.
  if (removed.has('monitoring'))
    overlay.replacements = overlay.replacements.filter(
      ({ source }) => source.kind !== 'PrometheusRule',
    );
  if (removed.has('backups'))
    overlay.patches = overlay.patches.filter(({ path }) => path !== 'backups.yaml');
}
