import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { ICronJob } from 'kubernetes-models/batch/v1/CronJob';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { drainTimeoutMs } from '@registrar/bus';
import { type Manifest, nameOf, ofKind } from './manifests.ts';

/** A rule about all objects of an overlay; returns the violations, one line each. */
export type Policy = (manifests: readonly Manifest[]) => string[];

type Workload = Manifest & (IDeployment | IJob);

export const deployments = (manifests: readonly Manifest[]): (Manifest & IDeployment)[] =>
  ofKind<IDeployment>(manifests, 'Deployment');

/** Deployments, Jobs, and the Jobs that CronJobs create. */
export const workloads = (manifests: readonly Manifest[]): Workload[] => [
  ...deployments(manifests),
  ...ofKind<IJob>(manifests, 'Job'),
  ...ofKind<ICronJob>(manifests, 'CronJob').map((each) => ({
    apiVersion: 'batch/v1' as const,
    kind: 'Job' as const,
    metadata: each.metadata,
    spec: each.spec.jobTemplate.spec,
  })),
];

export const podOf = (workload: Workload): IPodSpec => workload.spec!.template.spec!;

export const containersOf = (workload: Workload): IContainer[] => [
  ...(podOf(workload).initContainers ?? []),
  ...podOf(workload).containers,
];

/** Applies a rule to each container, and names the container in each violation. */
const ofContainers =
  (faults: (container: IContainer, workload: Workload) => (string | false | undefined)[]): Policy =>
  (manifests) =>
    workloads(manifests).flatMap((workload) =>
      containersOf(workload).flatMap((container) =>
        named(`${nameOf(workload)}, ${container.name}`, faults(container, workload)),
      ),
    );

const named = (name: string, faults: (string | false | undefined)[]): string[] =>
  faults.filter((fault) => typeof fault === 'string').map((fault) => `${name}: ${fault}`);

/** Pod Security `restricted` (kubernetes.io/docs/concepts/security/pod-security-standards). */
export const restricted: Policy = (manifests) => [
  ...workloads(manifests).flatMap((workload) => {
    const pod = podOf(workload);
    const allowed = ['configMap', 'emptyDir', 'persistentVolumeClaim', 'projected', 'secret'];
    return named(nameOf(workload), [
      (pod.hostNetwork || pod.hostPID || pod.hostIPC) && 'uses a namespace of the node',
      pod.securityContext?.runAsNonRoot !== true && 'may run as root',
      pod.securityContext?.runAsUser === 0 && 'runs as root',
      pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault' &&
        'may make every system call',
      ...(pod.volumes ?? []).map(
        (volume) =>
          !Object.keys(volume).some((key) => allowed.includes(key)) && `mounts ${volume.name}`,
      ),
    ]);
  }),
  ...ofContainers(({ securityContext, ports }) => [
    securityContext?.privileged && 'is privileged',
    securityContext?.allowPrivilegeEscalation !== false && 'may gain privileges',
    securityContext?.runAsUser === 0 && 'runs as root',
    securityContext?.runAsNonRoot === false && 'may run as root',
    securityContext?.seccompProfile?.type === 'Unconfined' && 'may make every system call',
    securityContext?.capabilities?.drop?.[0] !== 'ALL' && 'keeps capabilities',
    (securityContext?.capabilities?.add ?? []).length > 0 && 'adds capabilities',
    (ports ?? []).some(({ hostPort }) => hostPort) && 'takes a port of the node',
  ])(manifests),
  ...ofKind(manifests, 'Namespace').flatMap((namespace) =>
    named(nameOf(namespace), [
      namespace.metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted' &&
        'does not enforce it',
    ]),
  ),
];

/** Hardening beyond the profile `restricted`. */
export const hardened: Policy = (manifests) => [
  ...workloads(manifests).flatMap((workload) => {
    const pod = podOf(workload);
    return named(nameOf(workload), [
      pod.automountServiceAccountToken !== false && 'can call the cluster’s API',
      // A Service `provider` would set PROVIDER_PORT.
      pod.enableServiceLinks !== false && 'gets environment variables of Services',
      !pod.serviceAccountName && 'shares the account `default`',
    ]);
  }),
  ...ofContainers(({ securityContext }) => [
    securityContext?.readOnlyRootFilesystem !== true && 'may write to its image',
  ])(manifests),
];

/** Every container has requests and limits, and every emptyDir a size limit below that of its pod's local storage. */
export const resources: Policy = (manifests) => [
  ...ofContainers(({ resources: { requests, limits } = {} }) => [
    ...['cpu', 'memory', 'ephemeral-storage'].flatMap((resource) => [
      !requests?.[resource] && `requests no ${resource}`,
      !limits?.[resource] && `has no limit of ${resource}`,
    ]),
  ])(manifests),
  ...workloads(manifests).flatMap((workload) =>
    (podOf(workload).volumes ?? [])
      .filter(({ emptyDir }) => emptyDir && !emptyDir.sizeLimit)
      .map(({ name }) => `${nameOf(workload)}: ${name} may grow without limit`),
  ),
  ...workloads(manifests)
    .filter((workload) => localStorage(workload) < sum(emptyDirSizes(workload)))
    .map((workload) => `${nameOf(workload)} is evicted before its volumes are full`),
];

const units: Readonly<Record<string, number>> = { Mi: 2 ** 20, Gi: 2 ** 30 };

/** Returns the bytes of a quantity in Mi or Gi; 0 for any other. */
export function bytesOf(quantity: unknown): number {
  const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(String(quantity)) ?? [];
  return Number(number ?? 0) * (units[unit] ?? 0);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

const emptyDirSizes = (workload: Workload): number[] =>
  (podOf(workload).volumes ?? []).map(({ emptyDir }) => bytesOf(emptyDir?.sizeLimit));

/** Returns the limit of the local storage of a pod: bytes. */
const localStorage = (workload: Workload): number =>
  sum(
    podOf(workload).containers.map((each) =>
      bytesOf(each.resources?.limits?.['ephemeral-storage']),
    ),
  );

/** Time in seconds that the readiness check may take for the database. */
const readinessTimeoutSeconds = 3;

/** Each app has startup, readiness and liveness probes on its management port. */
export const probes: Policy = (manifests) =>
  deployments(manifests).flatMap((deployment) =>
    podOf(deployment).containers.flatMap((container) => {
      const management = container.ports?.find(({ name }) => name === 'management');
      const asked = ['startup', 'readiness', 'liveness'] as const;
      const paths = { startup: 'startup', readiness: 'ready', liveness: 'live' };
      return named(nameOf(deployment), [
        !management && 'has no management port',
        ...asked.flatMap((kind) => {
          const probe = container[`${kind}Probe`];
          return [
            probe?.httpGet?.path !== `/health/${paths[kind]}` && `has no ${kind} probe`,
            probe?.httpGet?.port !== 'management' && `has its ${kind} probe on another port`,
          ];
        }),
        (container.readinessProbe?.timeoutSeconds ?? 1) <= readinessTimeoutSeconds &&
          'has a readiness timeout that is too short for its database check',
      ]);
    }),
  );

/** An app gets SIGTERM after the Services stopped sending requests, and has time to drain. */
export const gracefulShutdown: Policy = (manifests) =>
  deployments(manifests).flatMap((deployment) => {
    const pod = podOf(deployment);
    return pod.containers.flatMap(({ lifecycle }) => {
      const wait = lifecycle?.preStop?.sleep?.seconds ?? 0;
      return named(nameOf(deployment), [
        wait <= 0 && 'stops before the Services are updated',
        (pod.terminationGracePeriodSeconds ?? 30) <= wait + drainTimeoutMs / 1000 &&
          'is killed before it has drained',
      ]);
    });
  });

/** A rolling update keeps all replicas available, and replicas are spread over nodes and zones. */
export const rollingUpdates: Policy = (manifests) =>
  deployments(manifests).flatMap((deployment) => {
    const { strategy } = deployment.spec!;
    const spread = podOf(deployment).topologySpreadConstraints ?? [];
    return named(nameOf(deployment), [
      strategy?.type === 'Recreate' && 'stops the old version first',
      strategy?.rollingUpdate?.maxUnavailable !== 0 && 'stops replicas before new ones are ready',
      ...['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map(
        (key) =>
          !spread.some(({ topologyKey }) => topologyKey === key) && `is not spread by ${key}`,
      ),
      spread.some(({ matchLabelKeys }) => !matchLabelKeys?.includes('app.kubernetes.io/name')) &&
        'is spread together with other apps',
    ]);
  });

/**
 * A Deployment counts as failed only after the time that the migration Job and the startup probe may take,
 * and the Job ends within a known time.
 */
export const progressDeadlines: Policy = (manifests) => {
  const jobs = ofKind<IJob>(manifests, 'Job');
  const jobSeconds = Math.max(
    0,
    ...jobs.map(({ spec }) => spec?.activeDeadlineSeconds ?? Infinity),
  );
  return [
    ...(jobSeconds === Infinity ? ['the migration Job may run for ever'] : []),
    ...deployments(manifests).flatMap((deployment) => {
      const startSeconds = podOf(deployment).containers.map(
        ({ startupProbe: { periodSeconds = 10, failureThreshold = 3 } = {} }) =>
          periodSeconds * failureThreshold,
      );
      const needed = jobSeconds + Math.max(...startSeconds);
      return (deployment.spec?.progressDeadlineSeconds ?? 600) >= needed
        ? []
        : [`${nameOf(deployment)} counts as failed before ${needed} s`];
    }),
  ];
};

/** Pods wait for their schema; the Job migrates each schema with its own role. */
export const migrations: Policy = (manifests) => {
  const taskOf = ({ command = [] }: IContainer) => command.slice(1).join(' ');
  const contexts = deployments(manifests).filter((each) =>
    podOf(each).volumes?.some(({ name }) => name === 'database'),
  );
  const [job] = ofKind<IJob>(manifests, 'Job');
  const migrated = job ? podOf(job).containers : [];
  return contexts.flatMap((deployment) => {
    const { name } = deployment.metadata;
    const main = `apps/${name}/dist/main.js`;
    const migration = migrated.find((each) => taskOf(each) === `${main} migrate`);
    const mounted = migration?.volumeMounts?.map((mount) => mount.name) ?? [];
    const secrets = (job ? (podOf(job).volumes ?? []) : [])
      .filter((volume) => mounted.includes(volume.name))
      .map((volume) => volume.secret?.secretName);
    return named(nameOf(deployment), [
      podOf(deployment).initContainers?.map(taskOf).join() !== `${main} await-schema` &&
        'does not wait for its schema',
      secrets.filter((each) => each?.endsWith('-database')).join() !== `${name}-database` &&
        'is not migrated with its own role',
    ]);
  });
};
