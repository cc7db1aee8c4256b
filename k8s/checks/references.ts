import type { IPodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import type { IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import type { ICertificate } from '@kubernetes-models/cert-manager/cert-manager.io/v1/Certificate';
import type { IExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import type { ITriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication';
import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IService } from 'kubernetes-models/v1/Service';
import type { ObjectStore } from './backups.ts';
import { type Manifest, nameOf, ofKind } from './manifests.ts';
import { containersOf, deployments, podOf, type Policy, workloads } from './pods.ts';

type Labels = Readonly<Record<string, string>>;

/** Tells whether a non-empty selector matches labels. */
const selects = (wanted: Labels | undefined, labels: Labels | undefined): boolean =>
  Object.keys(wanted ?? {}).length > 0 &&
  Object.entries(wanted ?? {}).every(([key, value]) => labels?.[key] === value);

/** Returns the workloads and stores whose pods a selector matches. */
const selected = (manifests: readonly Manifest[], wanted: Labels | undefined): string[] => [
  ...workloads(manifests)
    .filter((each) => selects(wanted, each.spec!.template.metadata?.labels))
    .map(nameOf),
  ...stores(manifests)
    .filter(({ labels }) => selects(wanted, labels))
    .map(({ store }) => nameOf(store)),
];

/**
 * Deployments, Services and disruption budgets select exactly the pods of their name. A budget may
 * also select the broker; CloudNativePG creates the budget of the database itself.
 */
export const selectors: Policy = (manifests) => {
  const wanted = (kinds: readonly string[], each: Manifest, labels: Labels | undefined) => ({
    each,
    found: selected(manifests, labels).join(),
    names: kinds.map((kind) => `${kind} ${each.metadata.name}`),
  });
  return [
    ...deployments(manifests).map((each) =>
      wanted(['Deployment'], each, each.spec!.selector.matchLabels),
    ),
    ...ofKind<IService>(manifests, 'Service').map((each) =>
      wanted(['Deployment'], each, each.spec?.selector),
    ),
    ...ofKind<IPodDisruptionBudget>(manifests, 'PodDisruptionBudget').map((each) =>
      wanted(['Deployment', 'RabbitmqCluster'], each, each.spec?.selector?.matchLabels),
    ),
  ]
    .filter(({ found, names }) => !names.includes(found))
    .map(({ each, found }) => `${nameOf(each)} selects ${found || 'nothing'}`);
};

/** Named ports exist at their targets, and monitors select existing Services and pods. */
export const ports: Policy = (manifests) => {
  const services = ofKind<IService>(manifests, 'Service');
  const portsOf = (service: IService): (string | undefined)[] =>
    service.spec?.ports?.map(({ name }) => name) ?? [];
  const toPods = services.flatMap((service) => {
    const deployment = deployments(manifests).find(
      ({ metadata }) => metadata.name === service.metadata?.name,
    );
    const open = deployment?.spec?.template.spec?.containers.flatMap((each) => each.ports ?? []);
    return (service.spec?.ports ?? [])
      .filter(({ targetPort }) => !open?.some(({ name }) => name === targetPort))
      .map(
        ({ targetPort }) =>
          `${nameOf(service)} has the target port ${targetPort}, which no container opens`,
      );
  });
  const fromOutside = ofKind<IIngress>(manifests, 'Ingress').flatMap((ingress) =>
    (ingress.spec?.rules ?? [])
      .flatMap(({ http }) => http?.paths.map(({ backend }) => backend.service) ?? [])
      .filter(
        (backend) =>
          !services.some(
            (service) =>
              service.metadata?.name === backend?.name &&
              portsOf(service).includes(backend?.port?.name),
          ),
      )
      .map(
        (backend) => `${nameOf(ingress)} has the backend ${backend?.name}, which does not exist`,
      ),
  );
  const scraped = ofKind<IServiceMonitor>(manifests, 'ServiceMonitor').flatMap((monitor) => {
    const found = services.filter(({ metadata }) =>
      selects(monitor.spec?.selector?.matchLabels, metadata?.labels),
    );
    const every = deployments(manifests).length;
    return [
      ...(found.length === every ? [] : [`${nameOf(monitor)} finds ${found.length} of ${every}`]),
      ...(monitor.spec?.endpoints ?? []).flatMap(({ port }) =>
        found
          .filter((service) => !portsOf(service).includes(port))
          .map((service) => `${nameOf(monitor)}: ${nameOf(service)} has no port ${port}`),
      ),
    ];
  });
  const stored = ofKind<IPodMonitor>(manifests, 'PodMonitor')
    .filter(
      ({ spec }) =>
        !stores(manifests).some(({ labels }) => selects(spec?.selector?.matchLabels, labels)),
    )
    .map((monitor) => `${nameOf(monitor)} finds nothing`);
  return [...toPods, ...fromOutside, ...scraped, ...stored];
};

/** Returns the stores with the labels of their pods. */
const stores = (manifests: readonly Manifest[]): { store: Manifest; labels: Labels }[] => [
  ...ofKind(manifests, 'RabbitmqCluster').map((store) => ({
    store,
    labels: {
      'app.kubernetes.io/name': store.metadata.name,
      'app.kubernetes.io/component': 'rabbitmq',
    },
  })),
  ...ofKind(manifests, 'Cluster').map((store) => ({
    store,
    labels: { 'cnpg.io/cluster': store.metadata.name },
  })),
];

/** Returns the Secrets that the Kubernetes operators create, with their keys. */
function secretKeys(manifests: readonly Manifest[]): Map<string, string[]> {
  const external = ofKind<IExternalSecret>(manifests, 'ExternalSecret');
  return new Map([
    ...external.map(({ metadata, spec }): [string, string[]] => [
      spec?.target?.name ?? metadata.name,
      Object.keys(spec?.target?.template?.data ?? {}),
    ]),
    ...ofKind<ICertificate>(manifests, 'Certificate').map(({ spec }): [string, string[]] => [
      spec!.secretName,
      ['tls.crt', 'tls.key', 'ca.crt'],
    ]),
    ...ofKind<ICluster>(manifests, 'Cluster').map(({ metadata }): [string, string[]] => [
      `${metadata.name}-ca`,
      ['ca.crt', 'ca.key'],
    ]),
  ]);
}

/** Referenced ConfigMaps, Secrets with their keys, and service accounts exist, but for Secrets that are optional. */
export const references: Policy = (manifests) => {
  const secrets = secretKeys(manifests);
  const names = (kind: string) => ofKind(manifests, kind).map(({ metadata }) => metadata.name);
  const configMaps = new Set(names('ConfigMap'));
  const accounts = new Set(names('ServiceAccount'));
  const needs = (by: Manifest, secret: string | undefined, ...keys: string[]) =>
    keys
      .filter((key) => !secrets.get(secret ?? '')?.includes(key))
      .map((key) => `${nameOf(by)} needs ${key} of the Secret ${secret}`);
  const used = new Set<string | undefined>();
  const faults = [
    ...workloads(manifests).flatMap((workload) => [
      ...(podOf(workload).volumes ?? []).flatMap(({ secret }) =>
        secret && !secret.optional
          ? needs(workload, secret.secretName, ...(secret.items?.map(({ key }) => key) ?? ['']))
          : [],
      ),
      ...containersOf(workload).flatMap(({ name, volumeMounts = [], envFrom = [] }) => [
        ...volumeMounts
          .filter((mount) => !podOf(workload).volumes?.some((volume) => volume.name === mount.name))
          .map((mount) => `${nameOf(workload)}, ${name} mounts ${mount.name}, which is no volume`),
        ...envFrom.flatMap(({ configMapRef, secretRef }) => {
          used.add(configMapRef?.name);
          return configMapRef?.name && configMaps.has(configMapRef.name) && !secretRef
            ? []
            : [`${nameOf(workload)}, ${name} needs the ConfigMap ${configMapRef?.name}`];
        }),
      ]),
      ...(accounts.has(podOf(workload).serviceAccountName ?? 'default')
        ? []
        : [`${nameOf(workload)} needs the account ${podOf(workload).serviceAccountName}`]),
    ]),
    ...ofKind<IIngress>(manifests, 'Ingress').flatMap((ingress) =>
      (ingress.spec?.tls ?? []).flatMap(({ secretName }) =>
        needs(ingress, secretName, 'tls.crt', 'tls.key'),
      ),
    ),
    ...ofKind<ITriggerAuthentication>(manifests, 'TriggerAuthentication').flatMap((each) =>
      (each.spec?.secretTargetRef ?? []).flatMap(({ name, key }) => needs(each, name, key)),
    ),
    ...ofKind<ICluster>(manifests, 'Cluster').flatMap((cluster) =>
      (cluster.spec?.managed?.roles ?? []).flatMap(({ passwordSecret }) =>
        needs(cluster, passwordSecret?.name, 'username', 'password'),
      ),
    ),
    ...ofKind<{ spec: { tls: { secretName: string } } }>(manifests, 'RabbitmqCluster').flatMap(
      (broker) => needs(broker, broker.spec.tls.secretName, 'tls.crt', 'tls.key'),
    ),
    ...ofKind<ICertificate>(manifests, 'Certificate').flatMap((certificate) => {
      const { kind, name } = certificate.spec!.issuerRef;
      return kind !== 'Issuer' || names('Issuer').includes(name)
        ? []
        : [`${nameOf(certificate)} needs the Issuer ${name}`];
    }),
    ...ofKind<IPodMonitor>(manifests, 'PodMonitor').flatMap((monitor) =>
      (monitor.spec.podMetricsEndpoints ?? []).flatMap(({ tlsConfig }) => {
        const { name, key } = tlsConfig?.ca?.secret ?? {};
        return key === undefined ? [] : needs(monitor, name, key);
      }),
    ),
    ...ofKind<ObjectStore>(manifests, 'ObjectStore').flatMap((store) =>
      Object.values(store.spec.configuration.s3Credentials).flatMap(({ name, key }) =>
        needs(store, name, key),
      ),
    ),
    ...ofKind<{ spec: { importCredentialsSecret: { name: string } } }>(manifests, 'User').flatMap(
      (user) => needs(user, user.spec.importCredentialsSecret.name, 'username', 'password'),
    ),
  ];
  const unused = ofKind<IConfigMap>(manifests, 'ConfigMap').filter(
    // Grafana reads its dashboards, by their label.
    ({ metadata }) => !used.has(metadata.name) && !metadata.labels?.['grafana_dashboard'],
  );
  return [...faults, ...unused.map((each) => `${nameOf(each)} is unused`)];
};
