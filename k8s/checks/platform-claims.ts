import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { type Manifest, nameOf, ofKind } from './manifests.ts';
import { podOf, workloads } from './pods.ts';

/** What an installation by a file of values has. */
type Claim = readonly [title: string, facts: (manifests: readonly Manifest[]) => unknown, unknown];

const text = (manifests: readonly Manifest[]) => JSON.stringify(manifests);
const named = <Type>(manifests: readonly Manifest[], name: string) =>
  manifests.find((each) => nameOf(each) === name) as (Manifest & Type) | undefined;
const specOf = (manifests: readonly Manifest[], name: string) =>
  named<{ spec: Record<string, unknown> }>(manifests, name)?.spec;
const podOfApp = (manifests: readonly Manifest[], app: string) =>
  podOf(named<IDeployment>(manifests, `Deployment ${app}`)!);
const peersOf = (manifests: readonly Manifest[], name: string) =>
  named<INetworkPolicy>(manifests, `NetworkPolicy ${name}`)?.spec?.ingress?.[0]?.from;
const objectStoreOf = (manifests: readonly Manifest[]) =>
  specOf(manifests, 'ObjectStore backups')?.['configuration'];
const providersOf = (manifests: readonly Manifest[]) =>
  Object.keys(specOf(manifests, 'SecretStore registrar')?.['provider'] ?? {});
const namespace = (name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});
const toProvider = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'provider' } } };

/** What each file of values is for, by its name. */
export const platformClaims: Readonly<Record<string, readonly Claim[]>> = {
  openshift: [
    ['has no fixed user ids', (all) => /runAsUser|runAsGroup|fsGroup/.test(text(all)), false],
    [
      'reaches the name service at its pods',
      (all) => specOf(all, 'NetworkPolicy apps')?.['egress'],
      [
        {
          to: [
            {
              ...namespace('openshift-dns'),
              podSelector: {
                matchLabels: { 'dns.operator.openshift.io/daemonset-dns': 'default' },
              },
            },
          ],
          ports: [
            { port: 5353, protocol: 'UDP' },
            { port: 5353, protocol: 'TCP' },
          ],
        },
      ],
    ],
    [
      'lets the Gateway of the platform in',
      (all) => peersOf(all, 'gateway'),
      [namespace('openshift-ingress'), toProvider],
    ],
  ],
  gke: [
    ['reads secrets from Secret Manager', providersOf, ['gcpsm']],
    [
      'backs up by the identity of the service account',
      objectStoreOf,
      {
        destinationPath: 'gs://example-registrar-backups/registrar',
        googleCredentials: { gkeEnvironment: true },
        data: { compression: 'snappy', jobs: 2 },
        wal: { compression: 'snappy', maxParallel: 4 },
      },
    ],
    ['needs no key for backups', (all) => named(all, 'ExternalSecret backups'), undefined],
    [
      'places the migrations on the same nodes as the apps',
      (all) => workloads(all).map((each) => podOf(each).nodeSelector),
      Array.from({ length: 8 }, () => ({ 'cloud.google.com/gke-nodepool': 'apps' })),
    ],
  ],
  eks: [
    ['reads secrets from Secrets Manager', providersOf, ['aws']],
    [
      'backs up by the role of the service account',
      objectStoreOf,
      {
        destinationPath: 's3://example-registrar-backups/registrar',
        s3Credentials: { inheritFromIAMRole: true },
        data: { compression: 'snappy', encryption: 'aws:kms', jobs: 2 },
        wal: { compression: 'snappy', encryption: 'aws:kms', maxParallel: 4 },
      },
    ],
    [
      'keeps backups for its own time',
      (all) => specOf(all, 'ObjectStore backups')?.['retentionPolicy'],
      '60d',
    ],
    [
      'gives service accounts their roles',
      (all) => [
        named(all, 'ServiceAccount external-secrets')?.metadata.annotations,
        specOf(all, 'Cluster database')?.['serviceAccountTemplate'],
      ],
      ['secrets', 'backups']
        .map((name) => ({
          'eks.amazonaws.com/role-arn': `arn:aws:iam::111122223333:role/registrar-${name}`,
        }))
        .map((annotations, index) => (index === 0 ? annotations : { metadata: { annotations } })),
    ],
  ],
  aks: [
    ['reads secrets from Key Vault', providersOf, ['azurekv']],
    [
      'backs up by the identity of the service account',
      objectStoreOf,
      {
        destinationPath: 'https://exampleregistrar.blob.core.windows.net/backups/registrar',
        azureCredentials: { inheritFromAzureAD: true },
        data: { compression: 'snappy', jobs: 2 },
        wal: { compression: 'snappy', maxParallel: 4 },
      },
    ],
    [
      'labels the pods of the database for their identity',
      (all) => specOf(all, 'Cluster database')?.['inheritedMetadata'],
      { labels: { 'azure.workload.identity/use': 'true' } },
    ],
  ],
  k3s: [
    [
      'runs one of each, without synchronous replication',
      (all) => {
        const { spec } = named<ICluster>(all, 'Cluster database')!;
        return [
          spec?.instances,
          spec?.postgresql?.synchronous,
          specOf(all, 'RabbitmqCluster rabbitmq')?.['replicas'],
          ...ofKind<{ spec: { maxReplicas: number } }>(all, 'HorizontalPodAutoscaler').map(
            (each) => each.spec.maxReplicas,
          ),
        ];
      },
      [1, undefined, 1, 1, 1, 1, 1, 1],
    ],
    [
      'lets the Traefik of k3s in',
      (all) => peersOf(all, 'gateway'),
      [
        {
          ...namespace('kube-system'),
          podSelector: { matchLabels: { 'app.kubernetes.io/name': 'traefik' } },
        },
        toProvider,
      ],
    ],
  ],
  bare: [
    [
      'has volumes for data and log of its own class',
      (all) => {
        const { storage, walStorage } = specOf(all, 'Cluster database')!;
        return { storage, walStorage };
      },
      {
        storage: { size: '500Gi', storageClass: 'local-nvme' },
        walStorage: { size: '50Gi', storageClass: 'local-nvme' },
      },
    ],
    ['asks the object store for no encryption', (all) => /"encryption"/.test(text(all)), false],
    [
      'makes base backups at its own time',
      (all) => specOf(all, 'ScheduledBackup database')?.['schedule'],
      '0 30 1 * * *',
    ],
    [
      'keeps the nodes of a store apart, on nodes for stores',
      (all) => {
        const { affinity, tolerations } = specOf(all, 'RabbitmqCluster rabbitmq')!;
        return [Object.keys(affinity as object).toSorted(), tolerations];
      },
      [
        ['nodeAffinity', 'podAntiAffinity'],
        [{ key: 'stores', operator: 'Exists', effect: 'NoSchedule' }],
      ],
    ],
  ],
  'existing-stores': [
    [
      'has no objects of the operators',
      (all) => all.filter(({ apiVersion }) => /cnpg|rabbitmq/.test(apiVersion)).map(nameOf),
      [],
    ],
    [
      'has no alerts that would fire without the metrics of the operators',
      (all) =>
        ['PrometheusRule', 'PodMonitor']
          .flatMap((kind) => ofKind(all, kind))
          .map(nameOf)
          .toSorted(),
      [
        'PrometheusRule registrar',
        'PrometheusRule registrar-slo',
        'PrometheusRule registrar-stores',
      ],
    ],
    [
      'names the stores in the URLs',
      (all) =>
        ['crawler-database', 'crawler-broker'].map((name) => {
          const { target } = specOf(all, `ExternalSecret ${name}`) as {
            target: { template: { data: Record<string, string> } };
          };
          const { url, keda } = target.template.data;
          return [url, keda].map((each) => each?.replace(/\{\{.*\}\}/, 'password'));
        }),
      [
        [
          'postgres://crawler:password@registrar.example.eu-central-1.rds.amazonaws.com:5432/registrar?sslmode=verify-full&sslrootcert=/secrets/database-ca/ca.crt',
          'postgres://crawler:password@registrar.example.eu-central-1.rds.amazonaws.com:5432/registrar?sslmode=require',
        ],
        [
          'amqps://crawler:password@b-example.mq.eu-central-1.amazonaws.com:5671/registrar?cacertfile=/secrets/broker-ca/ca.crt',
          undefined,
        ],
      ],
    ],
    [
      'reads reports from a replica of the database',
      (all) => {
        const { target } = specOf(all, 'ExternalSecret enrolment-database') as {
          target: { template: { data: Record<string, string> } };
        };
        return target.template.data['reports-url']?.replace(/\{\{.*\}\}/, 'password');
      },
      'postgres://enrolment:password@registrar-replica.example.eu-central-1.rds.amazonaws.com:5432/registrar?sslmode=verify-full&sslrootcert=/secrets/database-ca/ca.crt',
    ],
    [
      'verifies the stores by its own authorities',
      (all) =>
        podOfApp(all, 'identity')
          .volumes?.filter(({ name }) => name.endsWith('-ca'))
          .map(({ secret }) => secret?.secretName)
          .toSorted(),
      ['amazon-authority', 'rds-authority'],
    ],
    [
      'reaches the network of the stores alone',
      (all) =>
        ['contexts-to-database', 'apps-outwards'].map(
          (name) => specOf(all, `NetworkPolicy ${name}`)?.['egress'],
        ),
      [5432, 5671].map((port) => [
        { to: [{ ipBlock: { cidr: '10.20.0.0/16' } }], ports: [{ port }] },
      ]),
    ],
  ],
  mirror: [
    [
      'takes every image from the registry, by its digest',
      (all) =>
        [...text(all).matchAll(/"image(?:Name)?":"([^"]+)"/g)]
          .map(([, image]) => image)
          .filter((image) => !/^mirror\.example\.com\/.+@sha256:[0-9a-f]{64}$/.test(image!)),
      [],
    ],
    [
      'gives every pod the credentials of the registry',
      (all) => [
        ...new Set(
          [
            ...workloads(all).map((each) => podOf(each).imagePullSecrets),
            ...['Pod registrar-test', 'Cluster database', 'RabbitmqCluster rabbitmq'].map(
              (name) => specOf(all, name)?.['imagePullSecrets'],
            ),
          ].map((each) => JSON.stringify(each)),
        ),
      ],
      ['[{"name":"mirror"}]'],
    ],
  ],
  'shared-cluster': [
    [
      'places the crawler elsewhere than the other apps',
      (all) => ['gateway', 'crawler'].map((app) => podOfApp(all, app).nodeSelector),
      [{ pool: 'general' }, { pool: 'spot' }],
    ],
    [
      'has numbers and truth values as strings where Kubernetes wants strings',
      (all) => {
        const { metadata } = named<IDeployment>(all, 'Deployment gateway')!.spec!.template;
        return [
          metadata?.labels?.['cost-center'],
          metadata?.annotations?.['cluster-autoscaler.kubernetes.io/safe-to-evict'],
          named<IConfigMap>(all, 'ConfigMap catalog')?.data,
          named(all, 'Ingress registrar')?.metadata.annotations?.[
            'external-dns.alpha.kubernetes.io/ttl'
          ],
        ];
      },
      ['4711', 'true', { MAX_PACKAGE_BYTES: '134217728' }, '60'],
    ],
    [
      'lets in pods by their labels',
      (all) => peersOf(all, 'gateway')?.[0],
      {
        namespaceSelector: { matchLabels: { purpose: 'ingress' } },
        podSelector: { matchLabels: { 'app.kubernetes.io/component': 'controller' } },
      },
    ],
  ],
  minimal: [
    [
      'has objects of Kubernetes, cert-manager and the stores alone',
      (all) => [...new Set(all.map(({ apiVersion }) => apiVersion.split('/')[0]))].toSorted(),
      [
        'apps',
        'autoscaling',
        'batch',
        'cert-manager.io',
        'policy',
        'postgresql.cnpg.io',
        'rabbitmq.com',
        'v1',
      ],
    ],
  ],
};
