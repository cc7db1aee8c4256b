import type { ICertificate } from '@kubernetes-models/cert-manager/cert-manager.io/v1/Certificate';
import type { IExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import type { ISecretStore } from '@kubernetes-models/external-secrets/external-secrets.io/v1/SecretStore';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { ObjectStore } from './backups.ts';
import { type Manifest, nameOf, ofKind } from './manifests.ts';
import type { Policy } from './pods.ts';

/** Kinds of objects of the manifests that belong to no namespace. */
const clusterScoped = ['ClusterIssuer', 'ClusterRole', 'ClusterRoleBinding', 'PriorityClass'];

/** A place outside of the namespace that an installation uses, and which part of it is its own. */
interface Place {
  readonly by: string;
  readonly place: string;
  /** The part that must be the namespace; null where only the team knows what it must be. */
  readonly own: string | null;
}

/**
 * Returns the places outside of its namespace that an installation uses: the namespace itself and other
 * objects of the whole cluster, addresses in the cluster's name service, names of objects for Traefik,
 * namespaces in queries of metrics, places in the store of secrets and in the object store, and public
 * hosts.
 */
export function outsidePlaces(manifests: readonly Manifest[]): Place[] {
  return [
    ...manifests
      .filter(({ kind }) => kind === 'Namespace' || clusterScoped.includes(kind))
      .map((each) => ({ by: nameOf(each), place: nameOf(each), own: each.metadata.name })),
    ...manifests.flatMap((each) =>
      [...JSON.stringify(each).matchAll(/[a-z0-9-]+\.([a-z0-9-]+)\.svc\b/g)].map(
        ([place, namespace = '']) => ({ by: nameOf(each), place, own: namespace }),
      ),
    ),
    ...manifests.flatMap((each) =>
      [
        ...JSON.stringify(each).matchAll(
          /"([a-z0-9-]+)-(?:limits|apps)@kubernetescrd|\bnamespace=\\"([a-z0-9-]+)/g,
        ),
      ].map(([place, ofName, ofQuery]) => ({
        by: nameOf(each),
        place,
        own: ofName ?? ofQuery ?? '',
      })),
    ),
    ...ofKind<IExternalSecret>(manifests, 'ExternalSecret').flatMap((secret) =>
      (secret.spec?.dataFrom ?? []).flatMap(({ extract }) =>
        extract
          ? [{ by: nameOf(secret), place: extract.key, own: extract.key.split('/')[0] ?? '' }]
          : [],
      ),
    ),
    ...ofKind<ISecretStore>(manifests, 'SecretStore').flatMap((store) => {
      const role = store.spec?.provider.vault?.auth?.kubernetes?.role;
      return role ? [{ by: nameOf(store), place: `role ${role}`, own: role }] : [];
    }),
    ...ofKind<ObjectStore>(manifests, 'ObjectStore').map((store) => {
      const place = store.spec.configuration.destinationPath;
      return { by: nameOf(store), place, own: place.split('/').at(-1) ?? '' };
    }),
    ...ofKind<IIngress>(manifests, 'Ingress').flatMap((ingress) =>
      (ingress.spec?.rules ?? []).map(({ host = '*' }) => ({
        by: nameOf(ingress),
        place: `host ${host}`,
        own: null,
      })),
    ),
    ...ofKind<ICertificate>(manifests, 'Certificate')
      .filter(({ spec }) => spec?.issuerRef.kind === 'ClusterIssuer')
      .flatMap((certificate) =>
        (certificate.spec?.dnsNames ?? []).map((name) => ({
          by: nameOf(certificate),
          place: `host ${name}`,
          own: null,
        })),
      ),
  ];
}

/** All objects are in the namespace of the overlay, and what they use outside of it is named after it. */
export const ownNamespace: Policy = (manifests) => {
  const namespace = ofKind(manifests, 'Namespace')[0]?.metadata.name;
  const inside = manifests.filter(
    ({ kind }) => kind !== 'Namespace' && !clusterScoped.includes(kind),
  );
  return [
    ...inside
      .filter(({ metadata }) => metadata['namespace'] !== namespace)
      .map((each) => `${nameOf(each)} is in another namespace`),
    ...outsidePlaces(manifests)
      .filter(({ own }) => own !== null && own !== namespace)
      .map(({ by, place }) => `${by} uses ${place}, which is not the namespace's own`),
  ];
};
