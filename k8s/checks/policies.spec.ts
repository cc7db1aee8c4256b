import type { IExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import { describe, expect, it } from 'vitest';
import { codeBlocksOf } from '@registrar/testing';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  brokerAccounts,
  brokerExchanges,
  databaseAccounts,
  encryptedStores,
  storeAddresses,
  storeAuthorities,
} from './accounts.ts';
import { alerts, type prometheusRules } from './alerts.ts';
import { backups } from './backups.ts';
import { change, type Path } from './change.ts';
import { describeManifests } from './describe-manifests.ts';
import { addresses, edgeLimits, routes, traefikNames } from './edge.ts';
import { argoCd, flux, namedOverlays } from './gitops.ts';
import {
  type Manifest,
  nameOf,
  ofKind,
  overlays,
  render,
  renderChanged,
  renderWith,
} from './manifests.ts';
import {
  hardened,
  containersOf,
  migrations,
  type Policy,
  probes,
  resources,
  restricted,
  rollingUpdates,
  gracefulShutdown,
  progressDeadlines,
  workloads,
} from './pods.ts';
import { ownNamespace } from './namespaces.ts';
import { ports, references, selectors } from './references.ts';
import {
  disruptionBudgets,
  databaseConnections,
  crawlerScale,
  oneScaler,
  poolers,
  requestedProcessors,
} from './scaling.ts';
import { settings } from './settings.ts';
import { brokerDisk, checksums, zones } from './stores.ts';
import { accessLogs, images, noSecrets } from './supply.ts';

/** A change to one object of the production overlay: kind and name, path, new value. */
type Mistake = readonly [name: string, path: Path, value: unknown];

const pod = ['spec', 'template', 'spec'] as const;
const container = [...pod, 'containers', 0] as const;
const poolerParameters = ['spec', 'pgbouncer', 'parameters'] as const;
const gateway = 'Deployment gateway';
const provider = 'Deployment provider';

/** Each policy, with changes that it must reject. */
const policies: readonly [string, Policy, readonly Mistake[]][] = [
  [
    'pods meet the profile restricted',
    restricted,
    [
      [gateway, [...pod, 'securityContext', 'runAsNonRoot'], false],
      [gateway, [...pod, 'securityContext', 'runAsUser'], 0],
      [gateway, [...pod, 'securityContext', 'seccompProfile'], undefined],
      [gateway, [...pod, 'hostNetwork'], true],
      [gateway, [...pod, 'volumes', 0], { name: 'node', hostPath: { path: '/' } }],
      [gateway, [...container, 'securityContext'], undefined],
      [gateway, [...container, 'securityContext', 'privileged'], true],
      [gateway, [...container, 'securityContext', 'capabilities', 'add'], ['NET_ADMIN']],
      [gateway, [...container, 'ports', 0, 'hostPort'], 80],
      ['Deployment identity', [...pod, 'initContainers', 0, 'securityContext'], undefined],
      ['Job migrate', [...container, 'securityContext', 'allowPrivilegeEscalation'], true],
      ['Namespace registrar', ['metadata', 'labels'], {}],
    ],
  ],
  [
    'pods are hardened',
    hardened,
    [
      [gateway, [...pod, 'automountServiceAccountToken'], undefined],
      [gateway, [...pod, 'enableServiceLinks'], undefined],
      [gateway, [...pod, 'serviceAccountName'], undefined],
      [provider, [...container, 'securityContext', 'readOnlyRootFilesystem'], false],
    ],
  ],
  [
    'containers have requests and limits',
    resources,
    [
      [gateway, [...container, 'resources', 'limits', 'memory'], undefined],
      ['Job migrate', [...container, 'resources'], {}],
      ['Deployment crawler', [...pod, 'initContainers', 0, 'resources', 'requests'], undefined],
      [gateway, [...container, 'resources', 'limits', 'ephemeral-storage'], undefined],
      [provider, [...pod, 'volumes', 0], { name: 'uploads', emptyDir: {} }],
      [provider, [...container, 'resources', 'limits', 'ephemeral-storage'], '2Gi'],
    ],
  ],
  [
    'apps have probes',
    probes,
    [
      [gateway, [...container, 'livenessProbe', 'httpGet', 'path'], '/health/ready'],
      [gateway, [...container, 'startupProbe'], undefined],
      [gateway, [...container, 'readinessProbe', 'httpGet', 'port'], 'http'],
      [gateway, [...container, 'readinessProbe', 'timeoutSeconds'], 2],
      [gateway, [...container, 'ports'], []],
    ],
  ],
  [
    'apps shut down gracefully',
    gracefulShutdown,
    [
      [gateway, [...container, 'lifecycle'], undefined],
      [gateway, [...pod, 'terminationGracePeriodSeconds'], 25],
      [gateway, [...container, 'lifecycle', 'preStop', 'sleep', 'seconds'], 50],
    ],
  ],
  [
    'updates are rolling',
    rollingUpdates,
    [
      [gateway, ['spec', 'strategy'], { type: 'Recreate' }],
      [gateway, ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'], '25%'],
      [gateway, [...pod, 'topologySpreadConstraints'], undefined],
      [gateway, [...pod, 'topologySpreadConstraints', 0, 'matchLabelKeys'], ['pod-template-hash']],
    ],
  ],
  [
    'progress deadlines fit the migrations and the start',
    progressDeadlines,
    [
      [gateway, ['spec', 'progressDeadlineSeconds'], 600],
      [gateway, ['spec', 'progressDeadlineSeconds'], undefined],
      [gateway, [...container, 'startupProbe', 'failureThreshold'], 1000],
      ['Job migrate', ['spec', 'activeDeadlineSeconds'], undefined],
      ['Job migrate', ['spec', 'activeDeadlineSeconds'], 3600],
    ],
  ],
  [
    'stores are spread over zones',
    zones,
    [
      [
        'RabbitmqCluster rabbitmq',
        [
          ...['spec', 'affinity', 'podAntiAffinity'],
          'preferredDuringSchedulingIgnoredDuringExecution',
        ],
        undefined,
      ],
      ['Cluster database', ['spec', 'topologySpreadConstraints'], undefined],
    ],
  ],
  [
    'the database has checksums',
    checksums,
    [['Cluster database', ['spec', 'bootstrap', 'initdb', 'dataChecksums'], undefined]],
  ],
  [
    'the broker stops publishers before its volume is full',
    brokerDisk,
    [
      ['RabbitmqCluster rabbitmq', ['spec', 'rabbitmq'], {}],
      ['RabbitmqCluster rabbitmq', ['spec', 'persistence', 'storage'], '5Gi'],
    ],
  ],
  [
    'schemas are migrated and awaited',
    migrations,
    [
      ['Deployment identity', [...pod, 'initContainers', 0, 'command', 2], 'migrate'],
      ['Deployment identity', [...pod, 'initContainers'], undefined],
      ['Job migrate', [...pod, 'containers', 1], undefined],
      ['Job migrate', [...container, 'volumeMounts', 1, 'name'], 'catalog'],
    ],
  ],
  [
    'selectors match',
    selectors,
    [
      [gateway, ['spec', 'selector', 'matchLabels'], { 'app.kubernetes.io/name': 'identity' }],
      ['Service gateway', ['spec', 'selector'], { 'app.kubernetes.io/part-of': 'registrar' }],
      ['Service gateway', ['spec', 'selector'], undefined],
      ['PodDisruptionBudget crawler', ['spec', 'selector', 'matchLabels'], {}],
      [
        'PodDisruptionBudget rabbitmq',
        ['spec', 'selector', 'matchLabels'],
        { 'app.kubernetes.io/name': 'broker' },
      ],
      [
        'PodDisruptionBudget rabbitmq',
        ['spec', 'selector', 'matchLabels'],
        { 'cnpg.io/cluster': 'database' },
      ],
      [gateway, ['spec', 'template', 'metadata', 'labels'], {}],
    ],
  ],
  [
    'ports are open',
    ports,
    [
      ['Service gateway', ['spec', 'ports', 0, 'targetPort'], 'web'],
      ['Service gateway', ['spec', 'ports'], []],
      ['Service gateway', ['metadata', 'labels'], {}],
      [
        'Ingress registrar',
        ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'port'],
        {},
      ],
      ['ServiceMonitor registrar', ['spec', 'endpoints', 0, 'port'], 'metrics'],
      ['PodMonitor rabbitmq', ['spec', 'selector', 'matchLabels'], { app: 'rabbitmq' }],
    ],
  ],
  [
    'references resolve',
    references,
    [
      [gateway, [...container, 'envFrom', 0, 'configMapRef', 'name'], 'registrar'],
      [gateway, [...pod, 'volumes', 0, 'secret', 'secretName'], 'broker'],
      [gateway, [...pod, 'volumes', 0, 'secret', 'items', 0, 'key'], 'uri'],
      [gateway, [...pod, 'volumes', 0, 'name'], 'rabbitmq'],
      [gateway, [...pod, 'serviceAccountName'], 'registrar'],
      ['ExternalSecret crawler-database', ['spec', 'target', 'template', 'data', 'url'], undefined],
      ['ExternalSecret crawler-broker', ['metadata', 'name'], 'crawler'],
      ['Certificate registrar', ['spec', 'secretName'], 'tls'],
      ['User catalog', ['spec', 'importCredentialsSecret', 'name'], 'catalog'],
      [
        'ObjectStore backups',
        ['spec', 'configuration', 's3Credentials', 'accessKeyId', 'key'],
        'ACCESS_KEY_ID',
      ],
    ],
  ],
  [
    'settings are valid and complete',
    settings,
    [
      [gateway, [...container, 'env', 0, 'name'], 'MANAGMENT_PORT'],
      [gateway, [...container, 'env', 0, 'value'], 'management'],
      [gateway, [...container, 'env'], []],
      ['Deployment catalog', [...container, 'env', 0], undefined],
      ['Deployment catalog', [...container, 'volumeMounts', 2, 'mountPath'], '/keys'],
    ],
  ],
  [
    'images are pinned',
    images,
    [
      [gateway, [...container, 'image'], 'registry.example.com/registrar'],
      [gateway, [...container, 'image'], 'registry.example.com/registrar:latest'],
      ['Job migrate', [...container, 'image'], 'registrar'],
      ['RabbitmqCluster rabbitmq', ['spec', 'image'], 'rabbitmq:4.3.6-management'],
      ['Cluster database', ['spec', 'imageName'], undefined],
    ],
  ],
  [
    'no manifest contains a secret',
    noSecrets,
    [
      ['ExternalSecret gateway-broker', ['kind'], 'Secret'],
      [gateway, [...container, 'env', 0], { name: 'AMQP_URL', value: 'amqp://rabbitmq' }],
      [gateway, [...container, 'args'], ['amqp://user:password@rabbitmq']],
      ['ExternalSecret master-key', ['spec', 'target', 'template', 'data', 'key'], 'c2VjcmV0'],
    ],
  ],
  [
    'the edge lets pass what the apps accept, and bounds one address',
    edgeLimits,
    [
      ['Ingress registrar', ['metadata', 'annotations'], {}],
      [
        'Ingress registrar',
        ['metadata', 'annotations', 'nginx.ingress.kubernetes.io/proxy-body-size'],
        '1m',
      ],
      [
        'Ingress registrar',
        ['metadata', 'annotations', 'nginx.ingress.kubernetes.io/limit-rps'],
        '10',
      ],
      ['Middleware address-rate', ['spec', 'rateLimit', 'average'], 100],
      ['Middleware address-requests', ['spec', 'inFlightReq', 'amount'], 8],
      ['Middleware address-requests', ['spec', 'inFlightReq', 'sourceCriterion'], undefined],
      [
        'Middleware address-requests',
        ['spec', 'inFlightReq', 'sourceCriterion'],
        { requestHost: true },
      ],
      [
        'Middleware address-rate',
        ['spec', 'rateLimit', 'sourceCriterion'],
        { requestHeaderName: 'X-Forwarded-For' },
      ],
    ],
  ],
  [
    'annotations for Traefik name its objects',
    traefikNames,
    [
      ['Middleware limits', ['metadata', 'name'], 'limit'],
      ['ServersTransport apps', ['metadata', 'namespace'], 'other'],
    ],
  ],
  [
    'no access log has query strings',
    accessLogs,
    [['Ingress registrar', ['metadata', 'annotations'], {}]],
  ],
  [
    'exchanges exist before their permissions',
    brokerExchanges,
    [
      ['Exchange rpc', ['spec', 'type'], 'direct'],
      ['Exchange events', ['kind'], 'Queue'],
    ],
  ],
  [
    'each RabbitMQ user has the required permissions',
    brokerAccounts,
    [
      ['Permission crawler', ['spec', 'permissions', 'read'], '.*'],
      ['Permission crawler', ['spec', 'userReference', 'name'], 'catalog'],
      ['Permission crawler', ['spec', 'vhost'], '/'],
      ['TopicPermission crawler-requests', ['spec', 'permissions', 'write'], '.*'],
      ['TopicPermission crawler-events', ['kind'], 'Permission'],
      ['TopicPermission provider-operator', ['spec', 'permissions', 'write'], '^(identity)$'],
      ['TopicPermission operator-operator', ['spec', 'permissions', 'exchange'], 'registrar.rpc'],
      ['User crawler', ['metadata', 'name'], 'crawlers'],
      ['User crawler', ['spec', 'tags'], ['management']],
    ],
  ],
  [
    'each role owns its schemas',
    databaseAccounts,
    [
      ['Database registrar', ['spec', 'schemas', 0, 'owner'], 'catalog'],
      ['Database registrar', ['spec', 'schemas', 3], undefined],
      ['Cluster database', ['spec', 'managed', 'roles', 0, 'superuser'], true],
      ['Cluster database', ['spec', 'managed', 'roles', 0, 'inRoles'], ['pg_read_all_data']],
      ['Cluster database', ['spec', 'managed', 'roles', 0], undefined],
    ],
  ],
  [
    'addresses are those of the stores',
    storeAddresses,
    [
      ['RabbitmqCluster rabbitmq', ['metadata', 'name'], 'broker'],
      ['Vhost registrar', ['spec', 'name'], '/'],
      ['Cluster database', ['metadata', 'name'], 'postgresql'],
      [
        'ExternalSecret crawler-database',
        ['spec', 'target', 'template', 'data', 'url'],
        'postgres://crawler:{{ .password }}@database-rw:5432/registrar?sslmode=require',
      ],
      [
        'ExternalSecret crawler-database',
        ['spec', 'target', 'template', 'data', 'username'],
        'all',
      ],
    ],
  ],
  [
    'stores are verified by their authority',
    storeAuthorities,
    [
      [gateway, [...container, 'volumeMounts'], [{ name: 'broker', mountPath: '/secrets/broker' }]],
      ['Deployment identity', [...pod, 'initContainers', 0, 'volumeMounts', 0, 'name'], 'other'],
      ['Job migrate', [...pod, 'volumes', 0, 'secret', 'items', 0, 'path'], 'other.crt'],
    ],
  ],
  [
    'stores accept TLS alone',
    encryptedStores,
    [
      ['RabbitmqCluster rabbitmq', ['spec', 'tls', 'disableNonTLSListeners'], false],
      ['Cluster database', ['spec', 'postgresql', 'pg_hba'], undefined],
    ],
  ],
  [
    'what names the namespace names its own',
    ownNamespace,
    [
      ['Namespace registrar', ['metadata', 'name'], 'learning'],
      [gateway, ['metadata', 'namespace'], 'learning'],
      [
        'ExternalSecret crawler-database',
        ['spec', 'target', 'template', 'data', 'keda'],
        'postgres://crawler:{{ .password }}@database-rw.learning.svc:5432/registrar',
      ],
      ['Certificate rabbitmq', ['spec', 'dnsNames', 1], 'rabbitmq.learning.svc'],
      ['ExternalSecret master-key', ['spec', 'dataFrom', 0, 'extract', 'key'], 'shared/master-key'],
      ['SecretStore registrar', ['spec', 'provider', 'vault', 'auth', 'kubernetes', 'role'], 'all'],
      ['ObjectStore backups', ['spec', 'configuration', 'destinationPath'], 's3://backups/other'],
    ],
  ],
  [
    'the database is backed up',
    backups,
    [
      ['Cluster database', ['spec', 'plugins'], undefined],
      ['Cluster database', ['spec', 'plugins', 0, 'isWALArchiver'], false],
      ['Cluster database', ['spec', 'plugins', 0, 'parameters', 'barmanObjectName'], 'other'],
      ['Cluster database', ['spec', 'walStorage'], undefined],
      ['Cluster database', ['spec', 'postgresql', 'parameters', 'archive_timeout'], undefined],
      ['ScheduledBackup database', ['spec', 'cluster', 'name'], 'other'],
      ['ScheduledBackup database', ['spec', 'method'], 'volumeSnapshot'],
      ['ScheduledBackup database', ['spec', 'schedule'], '0 2 * * *'],
      ['ScheduledBackup database', ['spec', 'suspend'], true],
      ['ObjectStore backups', ['spec', 'retentionPolicy'], undefined],
    ],
  ],
  [
    'each Deployment has at most one scaler',
    oneScaler,
    [
      ['HorizontalPodAutoscaler catalog', ['spec', 'scaleTargetRef', 'name'], 'crawler'],
      ['HorizontalPodAutoscaler catalog', ['spec', 'scaleTargetRef', 'name'], 'courses'],
      ['ScaledObject gateway', ['spec', 'scaleTargetRef', 'name'], 'identity'],
      ['ScaledObject crawler', ['spec', 'scaleTargetRef', 'name'], 'crawlers'],
      ['Deployment crawler', ['spec', 'replicas'], 1],
    ],
  ],
  [
    'replicas request the processor time at which others are added',
    requestedProcessors,
    [
      [
        'HorizontalPodAutoscaler catalog',
        ['spec', 'metrics', 0, 'containerResource', 'target'],
        { type: 'AverageValue', averageValue: '750m' },
      ],
      ['ScaledObject gateway', ['spec', 'triggers', 0, 'metricType'], 'AverageValue'],
      ['ScaledObject gateway', ['spec', 'triggers', 0, 'metadata', 'value'], '150'],
    ],
  ],
  [
    'nodes can be drained',
    disruptionBudgets,
    [
      ['PodDisruptionBudget gateway', ['spec'], { minAvailable: 1 }],
      ['PodDisruptionBudget gateway', ['spec', 'maxUnavailable'], 0],
      ['PodDisruptionBudget gateway', ['metadata', 'name'], 'edge'],
      ['PodDisruptionBudget rabbitmq', ['spec'], { minAvailable: 2 }],
    ],
  ],
  [
    'max_connections suffices for all replicas',
    databaseConnections,
    [
      ['Cluster database', ['spec', 'postgresql', 'parameters', 'max_connections'], '100'],
      ['Cluster database', ['spec', 'postgresql', 'parameters', 'max_connections'], undefined],
      ['ScaledObject crawler', ['spec', 'maxReplicaCount'], 100],
    ],
  ],
  [
    'a pooler keeps sessions and has enough of them',
    poolers,
    [
      ['Pooler database-pooler', ['spec', 'pgbouncer', 'poolMode'], 'transaction'],
      ['Pooler database-pooler', [...poolerParameters, 'default_pool_size'], undefined],
      ['Pooler database-pooler', [...poolerParameters, 'max_client_conn'], '100'],
      ['ScaledObject crawler', ['spec', 'maxReplicaCount'], 20],
    ],
  ],
  [
    'the address of each app for browsers leads to it',
    addresses,
    [
      ['Ingress registrar', ['spec', 'rules', 0, 'host'], 'other.example.com'],
      ['Ingress registrar', ['spec', 'rules', 1, 'host'], '*.other.example.com'],
      ['Ingress registrar', ['spec', 'rules', 0, 'http', 'paths', 1, 'path'], '/pages'],
    ],
  ],
  [
    'the scaling target of the crawler is its concurrency',
    crawlerScale,
    [['ScaledObject crawler', ['spec', 'triggers', 0, 'metadata', 'targetQueryValue'], '5']],
  ],
];

describeManifests('in Kubernetes, policies', () => {
  const rendered = new Map(overlays.map((overlay) => [overlay, render(overlay)]));
  const production: Manifest[] = rendered.get('k8s/overlays/production')!;
  rendered.set(
    'production, traced',
    renderWith('k8s/components/tracing', 'k8s/overlays/production'),
  );

  const withoutConsole = renderChanged('k8s/overlays/production', (kustomization) => {
    const { components } = kustomization.toJS() as { components: string[] };
    kustomization.set(
      'components',
      components.filter((each) => each !== '../../components/console'),
    );
  });
  const pooled = renderWith('k8s/components/pooler', 'k8s/overlays/production');
  rendered.set('production, pooled', pooled);
  rendered.set('production, without the console', withoutConsole);
  rendered.set('production, probed', renderWith('k8s/components/probe', 'k8s/overlays/production'));

  const reporting = renderWith('k8s/components/standby-reports', 'k8s/overlays/production');
  rendered.set('production, with reports from its standbys', reporting);

  describe.each(policies)('the policy "%s"', (_name, policy, mistakes) => {
    it.each([...rendered.keys()])('the policy "%s" is met in %s', (overlay) => {
      expect(policy(rendered.get(overlay)!)).toEqual([]);
    });

    it.each(mistakes)(
      'the policy "%s" is violated by a change of %s at %j to %j',
      (name, path, value) => {
        const changed = policy === poolers ? pooled : production;
        expect(policy(change(changed, name, path, value))).not.toEqual([]);
      },
    );
  });

  describe('production', () => {
    it('links the runbooks in every alert', () => {
      const rules = ofKind<{ spec: typeof prometheusRules }>(production, 'PrometheusRule');
      const links = rules
        .flatMap(({ spec }) => spec.groups.flatMap((group) => group.rules))
        .flatMap((rule) => ('alert' in rule ? [rule.annotations.runbook_url] : []));
      const pages = alerts.map(({ annotations }) => annotations.runbook_url);
      expect(links.toSorted()).toEqual(
        pages.map((page) => `https://registrar.example.com/manual/${page}`).toSorted(),
      );
    });
  });

  it.each([
    ['Probe', 'probe', 'PROBE_REALM_GUID'],
    ['Tracing', 'registrar', 'OTEL_TRACES_SAMPLER'],
    ['Console', 'console', 'CONSOLE_OIDC_ISSUER'],
  ])(
    'docs/kubernetes.md, %s: Kustomize sets the values with the component',
    (section, name, key) => {
      const block = codeBlocksOf('docs/kubernetes.md').find(
        (each) => each.section === section && each.language === 'yaml',
      );
      const settings = Object.entries(parse(block!.text) as Record<string, unknown[]>);
      const objects = renderChanged('k8s/overlays/production', (kustomization) => {
        const component = `../../components/${section.toLowerCase()}`;
        const { components } = kustomization.toJS() as { components: string[] };
        if (!components.includes(component)) kustomization.addIn(['components'], component);
        for (const [field, items] of settings)
          for (const item of items) kustomization.addIn([field], item);
      });
      const [configMap] = ofKind<{ data: Record<string, string> }>(objects, 'ConfigMap').filter(
        ({ metadata }) => metadata.name.startsWith(`${name}-`),
      );
      expect(configMap!.data[key]).toMatch(/./);
    },
  );

  it('docs/kubernetes.md, Console: the console reads the secret of a confidential client', () => {
    const [, block] = codeBlocksOf('docs/kubernetes.md').filter(
      (each) => each.section === 'Console' && each.language === 'yaml',
    );
    const confidential = renderChanged('k8s/overlays/production', (kustomization) => {
      const { patches } = parse(block!.text) as { patches: unknown[] };
      for (const patch of patches) kustomization.addIn(['patches'], patch);
    });
    expect(settings(confidential)).toEqual([]);
    expect(JSON.stringify(confidential)).toContain('CONSOLE_OIDC_CLIENT_SECRET_FILE');
  });

  it('without the component console, what is left of it are its accounts and policies', () => {
    const left = withoutConsole.map(nameOf).filter((name) => name.includes('console'));
    const kinds = new Set(left.map((name) => name.split(' ')[0]));
    expect([...kinds].toSorted()).toEqual([
      ...['ExternalSecret', 'NetworkPolicy', 'Permission', 'TopicPermission', 'User'],
    ]);
    const ingress = withoutConsole.find(({ kind }) => kind === 'Ingress');
    expect(JSON.stringify(ingress)).not.toContain('console');
  });

  it('the console has the host and the proxies of the gateway', () => {
    const [configMap] = ofKind<{ data: Record<string, string> }>(production, 'ConfigMap').filter(
      ({ metadata }) => metadata.name.startsWith('console-'),
    );
    expect(configMap!.data).toMatchObject({
      CONSOLE_URL: 'https://registrar.example.com/console',
      TRUSTED_PROXIES: 'uniquelocal',
    });
  });

  it('the component standby-reports adds the address of the standbys for enrolment alone', () => {
    const secret = 'ExternalSecret enrolment-database';
    const data = ['spec', 'target', 'template', 'data'];
    const names = reporting
      .filter((each) => JSON.stringify(each).includes('reports-url'))
      .map(nameOf);
    expect(names.toSorted()).toEqual(['Deployment enrolment', secret]);
    const [url] = ofKind<IExternalSecret>(reporting, 'ExternalSecret').flatMap(
      (each) => each.spec?.target?.template?.data?.['reports-url'] ?? [],
    );
    expect(url).toContain('@database-ro:5432/registrar?sslmode=verify-full&');
    for (const other of [url!.replace('-ro', '-rw'), url!.replace('//enrolment', '//identity')]) {
      const changed = change(reporting, secret, [...data, 'reports-url'], other);
      expect(storeAddresses(changed)).toHaveLength(1);
    }
  });

  describe.each([
    ['argo-cd', argoCd],
    ['flux', flux],
  ] as const)('with the component %s', (name, policy) => {
    const component = `k8s/components/${name}`;

    it('production meets its policy', () => {
      expect(policy(renderWith(component, 'k8s/overlays/production'))).toEqual([]);
    });

    it.each([
      ['annotations', ['metadata', 'annotations'], {}],
      [
        'a wave before its database',
        ['metadata', 'annotations', 'argocd.argoproj.io/sync-wave'],
        '-1',
      ],
      ['a time after which it is deleted', ['spec', 'ttlSecondsAfterFinished'], 60],
    ] as const)('the policy rejects other %s of the Job, where it matters', (what, path, value) => {
      const matters = what === 'annotations' || (name === 'argo-cd') === what.includes('wave');
      const changed = change(
        renderWith(component, 'k8s/overlays/production'),
        'Job migrate',
        path,
        value,
      );
      expect(policy(changed).length > 0).toBe(matters);
    });
  });

  it('the examples for Argo CD and Flux name overlays that exist', () => {
    expect(namedOverlays()).toHaveLength(2);
    expect(namedOverlays().filter((each) => !overlays.includes(each))).toEqual([]);
  });

  describe('with the component gateway-api instead of ingress', () => {
    const routed = renderChanged('k8s/overlays/production', (kustomization) => {
      const paths = kustomization.toJS() as { components: string[] };
      const edge = ['ingress', 'traefik'].map((name) => `../../components/${name}`);
      // Before the component `console`, which adds its path.
      kustomization.set('components', [
        '../../components/gateway-api',
        ...paths.components.filter((each) => !edge.includes(each)),
      ]);
    });

    it('the hosts of the settings lead to their Services, with a certificate', () => {
      expect(routes(routed)).toEqual([]);
      expect(addresses(routed)).toEqual([]);
      const hosts = ofKind<{ spec: { hostnames: string[] } }>(routed, 'HTTPRoute').map(
        ({ spec }) => spec.hostnames,
      );
      expect(hosts).toEqual([['*.content.example.com'], ['registrar.example.com']]);
    });

    it.each<Mistake>([
      ['HTTPRoute gateway', ['spec', 'hostnames', 0], 'other.example.com'],
      ['HTTPRoute gateway', ['spec', 'rules', 0, 'backendRefs', 0, 'port'], 8080],
      ['HTTPRoute gateway', ['spec', 'rules', 1, 'backendRefs', 0, 'name'], 'pages'],
      ['HTTPRoute content', ['spec', 'parentRefs', 0, 'sectionName'], 'gateway'],
      ['HTTPRoute content', ['spec', 'rules', 0, 'timeouts'], undefined],
      ['Gateway registrar', ['spec', 'listeners', 0, 'tls', 'certificateRefs', 0, 'name'], 'tls'],
      ['Certificate registrar', ['spec', 'dnsNames', 0], 'other.example.com'],
    ])('the policy rejects a change of %s at %j to %j', (name, path, value) => {
      expect(routes(change(routed, name, path, value))).not.toEqual([]);
    });
  });

  describe('the base', () => {
    it('the base and the component console use the image of the version in package.json', () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
      const used = [...render('k8s/base'), ...render('k8s/components/console')];
      const images = workloads(used)
        .flatMap(containersOf)
        .map(({ image }) => image);
      expect([...new Set(images)]).toEqual([`registrar:${version}`]);
    });
  });
});
