import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { type Manifest, nameOf, ofKind } from './manifests.ts';
import { deployments, podOf, type Policy } from './pods.ts';
import { environmentOf } from './settings.ts';

/** Who scales which Deployment, and up to how many replicas. */
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

/** One scaler at most decides how many replicas there are, and nobody else. */
export const scaledOnce: Policy = (manifests) => {
  const found = scalers(manifests);
  const names = deployments(manifests).map(({ metadata }) => metadata.name);
  return [
    ...found
      .filter(({ target }) => !names.includes(target ?? ''))
      .map(({ by, target }) => `${by} scales ${target}, which is not there`),
    ...deployments(manifests).flatMap((deployment) => {
      const by = found.filter(({ target }) => target === deployment.metadata.name);
      return [
        ...(by.length > 1 ? [`${nameOf(deployment)} is scaled by ${by.length}`] : []),
        ...(by.length > 0 && deployment.spec?.replicas !== undefined
          ? [`${nameOf(deployment)} is set back to ${deployment.spec.replicas} by every apply`]
          : []),
      ];
    }),
  ];
};

/** A budget leaves a node's drain a way, whatever the number of replicas. */
export const budgets: Policy = (manifests) => {
  const names = [...deployments(manifests), ...ofKind(manifests, 'RabbitmqCluster')].map(
    ({ metadata }) => metadata.name,
  );
  return ofKind<IPodDisruptionBudget>(manifests, 'PodDisruptionBudget').flatMap((budget) => [
    ...(names.includes(budget.metadata.name) ? [] : [`${nameOf(budget)} is for nothing`]),
    ...(Number(budget.spec?.maxUnavailable ?? 0) >= 1
      ? []
      : [`${nameOf(budget)} can keep every pod from moving`]),
  ]);
};

/** What one replica of a context may hold open: its pool, and one while it migrates. */
const connectionsOfReplica = 11;

/** What PostgreSQL keeps back, and the operators' own connections use. */
const reserved = 20;

/** The database takes the connections of as many replicas as there may be, rolling over included. */
export const connections: Policy = (manifests) => {
  const most = new Map(scalers(manifests).map(({ target, most }) => [target, most]));
  const contexts = deployments(manifests).filter((each) =>
    podOf(each).volumes?.some(({ name }) => name === 'database'),
  );
  const needed = contexts
    .map(({ metadata, spec }) => (most.get(metadata.name) ?? spec?.replicas ?? 1) + 1)
    .reduce((sum, replicas) => sum + replicas * connectionsOfReplica, reserved);
  return ofKind<ICluster>(manifests, 'Cluster')
    .map((each) => [each, Number(each.spec?.postgresql?.parameters?.['max_connections'])] as const)
    .filter(([, allowed]) => !(allowed >= needed))
    .map(([each, allowed]) => `${nameOf(each)} takes ${allowed} connections of ${needed}`);
};

/** A replica of the crawler is wanted for as many provider applications as one crawls at a time. */
export const crawlerScale: Policy = (manifests) => {
  const crawler = deployments(manifests).find(({ metadata }) => metadata.name === 'crawler');
  const container = crawler && podOf(crawler).containers[0];
  const { CRAWL_CONCURRENCY: concurrency } = container ? environmentOf(manifests, container) : {};
  return ofKind<IScaledObject>(manifests, 'ScaledObject')
    .flatMap((each) => each.spec?.triggers ?? [])
    .map(({ metadata }) => metadata['targetQueryValue'])
    .filter((target) => target !== concurrency)
    .map((target) => `the crawler is scaled for ${target} at a time, and does ${concurrency}`);
};
