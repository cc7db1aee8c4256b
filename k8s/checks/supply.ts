import type { IExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { nameOf, ofKind } from './manifests.ts';
import { containersOf, type Policy, workloads } from './pods.ts';

/** A tag that names one build, or a digest. */
const pinned = /(:(?!latest$)[\w][\w.-]*\d[\w.-]*|:development|@sha256:[0-9a-f]{64})$/;

const digest = /@sha256:[0-9a-f]{64}$/;

/**
 * Every image is pinned: those of others by digest, ours by version or digest, which a release publishes.
 */
export const images: Policy = (manifests) => [
  ...workloads(manifests).flatMap((workload) =>
    containersOf(workload)
      .filter(({ image }) => !pinned.test(image ?? ''))
      .map(({ name, image }) => `${nameOf(workload)}, ${name}: ${image} is not pinned`),
  ),
  ...[
    ...ofKind<{ spec: { image?: string } }>(manifests, 'RabbitmqCluster').map(
      (each) => [each, each.spec.image] as const,
    ),
    ...ofKind<{ spec: { imageName?: string } }>(manifests, 'Cluster').map(
      (each) => [each, each.spec.imageName] as const,
    ),
  ]
    .filter(([, image]) => !digest.test(image ?? ''))
    .map(([each, image]) => `${nameOf(each)}: ${image} has no digest`),
];

/** Annotations of the common ingress controllers, whose access logs contain query strings with secrets. */
const withoutAccessLog = {
  'nginx.ingress.kubernetes.io/enable-access-log': 'false',
  'traefik.ingress.kubernetes.io/router.observability.accesslogs': 'false',
};

/** No ingress controller writes query strings to an access log. */
export const accessLogs: Policy = (manifests) =>
  ofKind(manifests, 'Ingress').flatMap((ingress) =>
    Object.entries(withoutAccessLog)
      .filter(([name, value]) => ingress.metadata.annotations?.[name] !== value)
      .map(([name]) => `${nameOf(ingress)} lacks the annotation ${name}`),
  );

/** Names of secret settings, and not of their files. */
const secretName =
  /^(?!.*_FILE$)(.*(PASSWORD|SECRET|TOKEN)|.*(MASTER|PRIVATE)_KEY$|.*(DATABASE|AMQP)_URL$)/;
const credentials = /\/\/[^/\s:]+:(?!\{\{)[^/\s@]+@/;

/** No manifest contains a secret: passwords come from the secret store. */
export const noSecrets: Policy = (manifests) => [
  ...ofKind(manifests, 'Secret').map((secret) => `${nameOf(secret)} is a plain Secret`),
  ...manifests
    .filter((manifest) => credentials.test(JSON.stringify(manifest)))
    .map((manifest) => `${nameOf(manifest)} has a password in an address`),
  ...ofKind<IConfigMap>(manifests, 'ConfigMap').flatMap((configMap) =>
    Object.keys(configMap.data ?? {})
      .filter((name) => secretName.test(name))
      .map((name) => `${nameOf(configMap)} has ${name}`),
  ),
  ...workloads(manifests).flatMap((workload) =>
    containersOf(workload).flatMap(({ env = [] }) =>
      env
        .filter(({ name, valueFrom }) => secretName.test(name) || valueFrom?.secretKeyRef)
        .map(({ name }) => `${nameOf(workload)} has ${name} in its environment`),
    ),
  ),
  ...ofKind<IExternalSecret>(manifests, 'ExternalSecret').flatMap((secret) =>
    Object.entries(secret.spec?.target?.template?.data ?? {})
      .filter(([key, value]) => key !== 'username' && !value.includes('{{'))
      .map(([key]) => `${nameOf(secret)} has a literal value of ${key}`),
  ),
];
