import { type Manifest, renderChanged } from '../checks/manifests.ts';

/** What the chart changes in the overlay `production`. */
export interface Overlay {
  namespace: string;
  resources: string[];
  components: string[];
  images: { name: string; newName: string; newTag?: string; digest?: string }[];
  configMapGenerator: { name: string; behavior: string; literals: string[] }[];
  replacements: { source: { kind: string } }[];
  patches: { path?: string; target?: object; patch?: string }[];
}

/**
 * Renders the overlay `production` after a change, with plain names of ConfigMaps, since a chart cannot compute
 * the hashes that Kustomize appends, and with volumes and mounts in the order of their names, since Kustomize has them in
 * that of the components.
 */
export function renderProduction(change: (overlay: Overlay) => void): Manifest[] {
  const manifests = renderChanged('k8s/overlays/production', (kustomization) => {
    const overlay = kustomization.toJS() as Overlay;
    change(overlay);
    kustomization.contents = kustomization.createNode(overlay);
  });
  const names = manifests
    .filter(({ kind }) => kind === 'ConfigMap')
    .map(({ metadata }) => metadata.name);
  const hashed = names.filter((name) => /-[2456789bcdfghkmt]{10}$/.test(name));
  const text = hashed.reduce(
    (json, name) => json.replaceAll(`"${name}"`, `"${name.slice(0, -11)}"`),
    JSON.stringify(manifests),
  );
  return JSON.parse(text, (field, value: unknown) =>
    field === 'volumes' || field === 'volumeMounts'
      ? (value as { name: string }[]).toSorted((one, other) => one.name.localeCompare(other.name))
      : value,
  ) as Manifest[];
}
