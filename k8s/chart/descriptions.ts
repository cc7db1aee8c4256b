/**
 * What each value of the chart sets, in the order in which the README lists them; `*` is any app or account.
 * A value of several parts has one text when the parts are those of a type of Kubernetes or of an operator.
 */
export const descriptions: Readonly<Record<string, string>> = {
  'image.repository': 'Image of the apps, with its registry.',
  'image.tag': 'Version of the image, where no digest is set.',
  'image.digest': 'Digest of the image, `sha256:…`, instead of the tag.',
  imagePullSecrets:
    'Secrets for the registries of all images, the stores’ included, such as `[{ name: registry }]`.',
  publicHost: 'Host of the API.',
  contentHost: 'Wildcard of the hosts of course content.',
  runbooks: 'Address of the pages of the alerts: the part before `docs/alerts/`.',
  edge: 'How clients reach the installation.',
  edgeAnnotations: 'Annotations of the Ingress or the Gateway.',
  ingressClassName: 'Class of the Ingress, for `edge: ingress` and `traefik`.',
  gatewayClassName: 'Class of the Gateway, for `edge: gateway-api`.',
  certificateIssuer: 'Issuer of cert-manager with a DNS01 solver.',
  openshift:
    'Pods without fixed user ids, and the name service of OpenShift in the policies, in the place of `network.dns`.',
  externalSecrets: 'Secrets by the External Secrets Operator.',
  'secretStore.provider':
    'Provider of the SecretStore: a field of `external-secrets.io/v1`. Set `vault: null` for another one.',
  console: 'The console, at `/console` of `publicHost`.',
  keda: 'Autoscaling by KEDA; without it, by processor time.',
  prometheus: 'Address of Prometheus for KEDA.',
  monitoring: 'Monitors, alerts and the dashboard.',
  priorityClasses: 'Priorities, which need the classes of `k8s/cluster`.',
  'pods.labels': 'Labels of the pods of the apps and the migrations.',
  'pods.annotations': 'Annotations of these pods.',
  'pods.nodeSelector': 'Node selector of these pods.',
  'pods.tolerations': 'Tolerations of these pods.',
  'pods.affinity': 'Affinity of these pods.',
  'apps.*.labels': 'In the place of `pods.labels`, for one app.',
  'apps.*.annotations': 'In the place of `pods.annotations`, for one app.',
  'apps.*.nodeSelector': 'In the place of `pods.nodeSelector`, for one app.',
  'apps.*.tolerations': 'In the place of `pods.tolerations`, for one app.',
  'apps.*.affinity': 'In the place of `pods.affinity`, for one app.',
  'apps.*.resources': 'Requests and limits of one app.',
  'apps.*.replicas.min': 'Least number of replicas.',
  'apps.*.replicas.max': 'Largest number of replicas.',
  'serviceAccounts.*.labels': 'Labels of a service account.',
  'serviceAccounts.*.annotations':
    'Annotations of a service account, such as that of a cloud identity. `externalSecrets` is the installation’s account at the store of secrets.',
  'settings.*':
    'Settings of one app, or of all (`registrar`), by their names in docs/operations.md. Numbers need no quotes.',
  'database.address':
    'An existing PostgreSQL, `host:port/database`, instead of that of CloudNativePG.',
  'database.authoritySecret':
    'Secret whose `ca.crt` is the authority of the database’s certificate.',
  'database.pooler':
    'PgBouncer in session mode between the apps and the database of CloudNativePG.',
  'database.standbyReports':
    'Stored queries and long lists are read from the standbys; needs two instances.',
  'database.standbyAddress':
    'With `database.address`: a streaming standby of that PostgreSQL, `host:port/database`, for `standbyReports`.',
  'database.image.repository': 'Image of PostgreSQL, with its registry.',
  'database.image.tag': 'Its version, which CloudNativePG reads.',
  'database.image.digest': 'Its digest; empty: the tag alone.',
  'database.instances': 'Instances of PostgreSQL.',
  'database.synchronous': 'Instances that have each commit; `null` for a single instance.',
  'database.storage':
    'Volume of the data: `size`, `storageClass`, as in a Cluster of CloudNativePG.',
  'database.walStorage':
    'Volume of the write-ahead log, with `backups`: as `database.storage`. It cannot be removed later.',
  'database.bootstrap':
    'How the Cluster is created: `bootstrap` of CloudNativePG. To restore, set `recovery` and `initdb: null`.',
  'database.externalClusters': 'Where `bootstrap.recovery` restores from.',
  'database.resources': 'Requests and limits of an instance.',
  'database.sharedBuffers': '`shared_buffers` of PostgreSQL.',
  'database.affinity':
    'Placement of the instances: `affinity` of a Cluster, which also has `nodeSelector` and `tolerations`.',
  'database.inheritedMetadata':
    '`labels` and `annotations` of the instances’ pods and other objects.',
  'database.serviceAccountTemplate':
    '`metadata` of the database’s service account, such as the annotation of a cloud identity for the backups.',
  'broker.address':
    'An existing RabbitMQ, `host:port/virtual-host`, instead of that of the operator.',
  'broker.authoritySecret': 'Secret whose `ca.crt` is the authority of the broker’s certificate.',
  'broker.image.repository': 'Image of RabbitMQ, with its registry.',
  'broker.image.tag': 'Its version.',
  'broker.image.digest': 'Its digest; empty: the tag alone.',
  'broker.replicas': 'Nodes of RabbitMQ: an odd number.',
  'broker.persistence': 'Volume of a node: `storage`, `storageClassName`.',
  'broker.resources': 'Requests and limits of a node.',
  'broker.affinity': 'Placement of the nodes; a node selector is a `nodeAffinity`.',
  'broker.tolerations': 'Tolerations of the nodes.',
  'broker.labels': 'Labels of the cluster’s pods and other objects.',
  'broker.annotations': 'Annotations of the cluster’s pods and other objects.',
  backups: 'Base backups and the write-ahead log in an object store.',
  'objectStore.destinationPath':
    'Bucket and path: `s3://…`, `gs://…`, or `https://ACCOUNT.blob.core.windows.net/…`.',
  'objectStore.serverName':
    'Directory of the database below the path. A restored database needs another one.',
  'objectStore.endpointURL': 'Address of the store; empty for those of AWS, Azure and Google.',
  'objectStore.credentials':
    'A key in the Secret `backups`, or the role of the database’s service account.',
  'objectStore.encryption': 'Encryption by an S3 store: `AES256`, `aws:kms`, or empty.',
  'objectStore.retentionPolicy': 'How long backups are kept: `30d`, `4w`, `6m`.',
  'objectStore.schedule': 'When base backups are made: cron, with seconds first.',
  'objectStore.resources': 'Requests and limits of the container beside each instance.',
  networkPolicies: 'The connections of the context map, and no others.',
  'network.ingress': 'Pods of the ingress controller or the Gateway: peers of a NetworkPolicy.',
  'network.monitoring': 'Pods of Prometheus.',
  'network.keda': 'Pods of KEDA.',
  'network.databaseOperator': 'Pods of CloudNativePG’s operator.',
  'network.brokerOperator': 'Pods of RabbitMQ’s operators.',
  'network.dns': 'Rules for the cluster’s name service.',
  'network.database': 'Rules for an existing PostgreSQL.',
  'network.broker': 'Rules for an existing RabbitMQ.',
};

const names = Object.keys(descriptions).map((name) => name.split('.'));

/** Whether a described name is that of the value, or of a part of it. */
const isWithin = (described: readonly string[], name: readonly string[]): boolean =>
  name.every((part, index) => described[index] === part || described[index] === '*');

/** Returns the text of a value; undefined for a value of several parts that have texts themselves. */
export function descriptionOf(name: string): string | undefined {
  const parts = name.split('.');
  const described = names.find((each) => each.length === parts.length && isWithin(each, parts));
  return described && descriptions[described.join('.')];
}

/** Returns the place of a value in the order of the descriptions. */
export const rankOf = (name: string): number =>
  names.findIndex((each) => isWithin(each, name.split('.')));
