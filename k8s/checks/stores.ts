import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import { nameOf, ofKind } from './manifests.ts';
import { bytesOf, type Policy } from './pods.ts';

/** The parts of a RabbitmqCluster that these policies read. */
interface Broker {
  readonly spec: {
    readonly replicas: number;
    readonly persistence: { readonly storage: string };
    readonly resources: { readonly limits: { readonly memory: string } };
    readonly rabbitmq?: { readonly additionalConfig?: string };
    readonly affinity?: {
      readonly podAntiAffinity: {
        readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
          readonly podAffinityTerm: { readonly topologyKey: string };
        }[];
      };
    };
  };
}

const zoneKey = 'topology.kubernetes.io/zone';

/** A store of several nodes prefers different zones. */
export const zones: Policy = (manifests) => [
  ...ofKind<Broker>(manifests, 'RabbitmqCluster')
    .filter(({ spec }) => spec.replicas > 1)
    .filter(
      ({ spec }) =>
        !spec.affinity?.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution?.some(
          ({ podAffinityTerm }) => podAffinityTerm.topologyKey === zoneKey,
        ),
    )
    .map((broker) => `${nameOf(broker)} may be in one zone`),
  ...ofKind<ICluster>(manifests, 'Cluster')
    .filter(({ spec }) => spec.instances > 1)
    .filter(
      ({ spec }) =>
        !spec.topologySpreadConstraints?.some(({ topologyKey }) => topologyKey === zoneKey),
    )
    .map((database) => `${nameOf(database)} may be in one zone`),
];

/** A new database has data checksums. */
export const checksums: Policy = (manifests) =>
  ofKind<ICluster>(manifests, 'Cluster')
    .filter(({ spec }) => spec.bootstrap?.initdb && !spec.bootstrap.initdb.dataChecksums)
    .map((database) => `${nameOf(database)} has no checksums`);

/** RabbitMQ's limit of free disk is a share of its memory, and leaves at least half of the volume. */
export const brokerDisk: Policy = (manifests) =>
  ofKind<Broker>(manifests, 'RabbitmqCluster')
    .filter(({ spec: { persistence, resources, rabbitmq } }) => {
      const share = /^disk_free_limit\.relative = (.+)$/m.exec(
        rabbitmq?.additionalConfig ?? '',
      )?.[1];
      const limit = Number(share ?? 0) * bytesOf(resources.limits.memory);
      return limit === 0 || limit > bytesOf(persistence.storage) / 2;
    })
    .map((broker) => `${nameOf(broker)} may fill its volume, or has none left`);
