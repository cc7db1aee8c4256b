import { type Manifest, nameOf } from './manifests.ts';
import type { Policy } from './pods.ts';

const specOf = (manifest: Manifest) => manifest['spec'] as Readonly<Record<string, unknown>>;

/** Whether an object of a kind starts no pods of the apps, and undoes no change of other objects. */
const isStopped: Readonly<Record<string, (manifest: Manifest) => boolean>> = {
  // Argo CD and Flux.
  Application: (each) =>
    !(specOf(each)['syncPolicy'] as { automated?: unknown } | undefined)?.automated,
  Kustomization: (each) => specOf(each)['suspend'] === true,
  ScaledObject: ({ metadata }) =>
    metadata.annotations?.['autoscaling.keda.sh/paused-replicas'] === '0',
  Deployment: (each) => specOf(each)['replicas'] === 0,
  CronJob: (each) => specOf(each)['suspend'] === true,
  Job: () => false,
  // It leaves a Deployment without replicas alone.
  HorizontalPodAutoscaler: () => true,
  // It has pods of the broker alone.
  RabbitmqCluster: () => true,
  // It has pods of PgBouncer alone.
  Pooler: () => true,
};

/** Objects with pods or with something to scale are not stopped unless their kind is known. */
const isUnrelated = (manifest: Manifest): boolean =>
  !/"(containers|scaleTargetRef)":/.test(JSON.stringify(manifest));

/** Returns what would start pods of the apps, or undo what an operator has stopped. */
export const stopped: Policy = (manifests) =>
  manifests
    .filter((each) => !(isStopped[each.kind] ?? isUnrelated)(each))
    .map((each) => `${nameOf(each)} is not stopped`);
