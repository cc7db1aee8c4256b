import type { IApplication } from '@kubernetes-models/argo-cd/argoproj.io/v1alpha1/Application';
import type { IKustomization } from '@kubernetes-models/flux-cd/kustomize.toolkit.fluxcd.io/v1/Kustomization';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import { readFileSync } from 'node:fs';
import { type Manifest, nameOf, ofKind, parseManifests } from './manifests.ts';
import { deployments, type Policy } from './pods.ts';

/** The example objects of Argo CD and Flux. */
export const gitOps: readonly Manifest[] = ['argo-cd', 'flux'].flatMap((name) =>
  parseManifests(readFileSync(`k8s/gitops/${name}.yaml`, 'utf8')),
);

/** The overlays that the examples name, which must exist. */
export const namedOverlays = (): string[] => [
  ...ofKind<IApplication>(gitOps, 'Application').map(({ spec }) => spec.source?.path ?? ''),
  ...ofKind<IKustomization>(gitOps, 'Kustomization').map(
    ({ spec }) => spec?.path?.replace(/^\.\//, '') ?? '',
  ),
];

const waveOf = ({ metadata }: Manifest): number =>
  Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);

/** Argo CD creates the migration Job anew at each synchronization, before the apps and after all that it needs. */
export const argoCd: Policy = (manifests) =>
  ofKind<IJob>(manifests, 'Job').flatMap((job) => {
    const { annotations = {} } = job.metadata;
    const apps = deployments(manifests);
    const others = manifests.filter(({ kind }) => ['Cluster', 'ExternalSecret'].includes(kind));
    return [
      annotations['argocd.argoproj.io/hook'] !== 'Sync' && 'is no hook of the synchronization',
      annotations['argocd.argoproj.io/hook-delete-policy'] !== 'BeforeHookCreation' &&
        'is not deleted before it is created again',
      apps.some((each) => waveOf(each) <= waveOf(job)) && 'runs beside the apps',
      others.some((each) => waveOf(each) >= waveOf(job)) && 'runs before its database is there',
    ].flatMap((fault) => (fault ? [`${nameOf(job)} ${fault}`] : []));
  });

/** Flux replaces the migration Job when it changes, keeps it, and waits for as long as a rollout may take. */
export const flux: Policy = (manifests) => {
  const seconds = Math.max(
    ...deployments(manifests).map(({ spec }) => spec?.progressDeadlineSeconds ?? 600),
  );
  return [
    ...ofKind<IJob>(manifests, 'Job').flatMap((job) => [
      ...(job.metadata.annotations?.['kustomize.toolkit.fluxcd.io/force'] === 'Enabled'
        ? []
        : [`${nameOf(job)} cannot be changed`]),
      ...(job.spec?.ttlSecondsAfterFinished === undefined
        ? []
        : [`${nameOf(job)} is deleted, and runs again`]),
    ]),
    ...ofKind<IKustomization>(gitOps, 'Kustomization')
      .filter(({ spec }) => !(Number(/^(\d+)m$/.exec(spec?.timeout ?? '')?.[1]) * 60 > seconds))
      .map((each) => `${nameOf(each)} gives up before ${seconds} s`),
  ];
};
