import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import type { IPooler } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Pooler';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { type Manifest, nameOf, ofKind } from './manifests.ts';
import { deployments, podOf, type Policy } from './pods.ts';
import { environmentOf } from './settings.ts';

/** Returns the autoscalers with their targets and maximum numbers of replicas. */
const scalers = (manifests: readonly Manifest[]) => [
  ...ofKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler').map((by) => ({
    by: nameOf(by),
    target: by.spec?.scaleTargetRef.name,
    most: by.spec?.maxReplicas ?? 1,
  })),
  ...ofKind<IScaledObject>(manifests, 'ScaledObject').map((by) => ({
    by: nameOf(by),
    target: by.spec?.scaleTargetRef.name,
    most: by.spec?.maxReplicaCount ?? 100,
  })),
];

/** At most one autoscaler sets the number of replicas of a Deployment, and the manifest does not. */
export const oneScaler: Policy = (manifests) => {
  const found = scalers(manifests);
  const names = deployments(manifests).map(({ metadata }) => metadata.name);
  return [
    ...found
      .filter(({ target }) => !names.includes(target ?? ''))
      .map(({ by, target }) => `${by} scales ${target}, which does not exist`),
    ...deployments(manifests).flatMap((deployment) => {
      const by = found.filter(({ target }) => target === deployment.metadata.name);
      return [
        ...(by.length > 1 ? [`${nameOf(deployment)} is scaled by ${by.length}`] : []),
        ...(by.length > 0 && deployment.spec?.replicas !== undefined
          ? [
              `${nameOf(deployment)} is reset to ${deployment.spec.replicas} replicas by every apply`,
            ]
          : []),
      ];
    }),
  ];
};

/**
 * Autoscalers by processor time add a replica when the existing ones use what they request, so that
 * the nodes have room for what the replicas use.
 */
export const requestedProcessors: Policy = (manifests) => [
  ...ofKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler')
    .filter(({ spec }) =>
      (spec?.metrics ?? []).some(
        ({ containerResource }) => containerResource?.target.averageUtilization !== 100,
      ),
    )
    .map((by) => `${nameOf(by)} scales by something else than the requests`),
  ...ofKind<IScaledObject>(manifests, 'ScaledObject')
    .filter(({ spec }) =>
      (spec?.triggers ?? []).some(
        ({ type, metricType, metadata }) =>
          type === 'cpu' && !(metricType === 'Utilization' && metadata['value'] === '100'),
      ),
    )
    .map((by) => `${nameOf(by)} scales by something else than the requests`),
];

/** A disruption budget allows nodes to be drained for any number of replicas. */
export const disruptionBudgets: Policy = (manifests) => {
  const names = [...deployments(manifests), ...ofKind(manifests, 'RabbitmqCluster')].map(
    ({ metadata }) => metadata.name,
  );
  return ofKind<IPodDisruptionBudget>(manifests, 'PodDisruptionBudget').flatMap((budget) => [
    ...(names.includes(budget.metadata.name) ? [] : [`${nameOf(budget)} has no target`]),
    ...(Number(budget.spec?.maxUnavailable ?? 0) >= 1
      ? []
      : [`${nameOf(budget)} can block the drain of a node`]),
  ]);
};

/** Maximum number of connections of one replica: its pool, and one for migrations. */
const connectionsOfReplica = 11;

/** Connections that PostgreSQL reserves and that the Kubernetes operators use. */
const reservedConnections = 20;

/** Returns the connections of each context's maximum number of replicas, also during rolling updates. */
function connectionsOfContexts(manifests: readonly Manifest[]): number[] {
  const most = new Map(scalers(manifests).map(({ target, most }) => [target, most]));
  return deployments(manifests)
    .filter((each) => podOf(each).volumes?.some(({ name }) => name === 'database'))
    .map(({ metadata, spec }) => (most.get(metadata.name) ?? spec?.replicas ?? 1) + 1)
    .map((replicas) => replicas * connectionsOfReplica);
}

/** The database accepts the connections of all contexts. */
export const databaseConnections: Policy = (manifests) => {
  const needed = connectionsOfContexts(manifests).reduce(
    (sum, connections) => sum + connections,
    reservedConnections,
  );
  return ofKind<ICluster>(manifests, 'Cluster')
    .map((each) => [each, Number(each.spec?.postgresql?.parameters?.['max_connections'])] as const)
    .filter(([, allowed]) => !(allowed >= needed))
    .map(
      ([each, allowed]) =>
        `${nameOf(each)} allows ${allowed} connections, but ${needed} are needed`,
    );
};

/**
 * A pooler is in session mode, so that each connection of a context has one to the database, and accepts those of the
 * largest context, also when one of its instances has all of them.
 */
export const poolers: Policy = (manifests) => {
  const contexts = connectionsOfContexts(manifests);
  const largest = Math.max(...contexts);
  const all = contexts.reduce((sum, connections) => sum + connections, 0);
  return ofKind<IPooler>(manifests, 'Pooler').flatMap((pooler) => {
    const { poolMode, parameters = {} } = pooler.spec.pgbouncer;
    return [
      ...(poolMode === 'session' ? [] : [`${nameOf(pooler)} is in the mode ${poolMode}`]),
      ...(Number(parameters['default_pool_size']) >= largest
        ? []
        : [`${nameOf(pooler)} has fewer connections than a context needs: ${largest}`]),
      ...(Number(parameters['max_client_conn']) >= all
        ? []
        : [`${nameOf(pooler)} accepts fewer connections than the contexts have: ${all}`]),
    ];
  });
};

/** The scaling target of the crawler equals the number of applications that one replica crawls concurrently. */
export const crawlerScale: Policy = (manifests) => {
  const crawler = deployments(manifests).find(({ metadata }) => metadata.name === 'crawler');
  const container = crawler && podOf(crawler).containers[0];
  const { CRAWL_CONCURRENCY: concurrency } = container ? environmentOf(manifests, container) : {};
  return ofKind<IScaledObject>(manifests, 'ScaledObject')
    .filter(({ metadata }) => metadata.name === 'crawler')
    .flatMap((each) => each.spec?.triggers ?? [])
    .map(({ metadata }) => metadata['targetQueryValue'])
    .filter((target) => target !== concurrency)
    .map(
      (target) => `the scaling target of the crawler is ${target}, its concurrency ${concurrency}`,
    );
};
