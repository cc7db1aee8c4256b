import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import type { IScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup';
import { nameOf, ofKind } from './manifests.ts';
import type { Policy } from './pods.ts';

/** The Barman Cloud plugin. */
const plugin = 'barman-cloud.cloudnative-pg.io';

/** Where a database is backed up to; the parts that the checks read. */
export interface ObjectStore {
  readonly spec: {
    readonly retentionPolicy?: string;
    readonly configuration: {
      readonly destinationPath: string;
      /** The keys of Secrets, by what they are for. */
      readonly s3Credentials: Readonly<
        Record<string, { readonly name: string; readonly key: string }>
      >;
    };
  };
}

/** Seconds, minutes, hours, day of month, month, day of week: robfig/cron, with seconds. */
const schedule = /^\S+( \S+){5}$/;

/**
 * Where there is an object store, every database archives its write-ahead log to it, within a stated time
 * and on a volume of its own, and has a schedule of base backups. Overlays without an object store, such
 * as that for development, have no backups.
 */
export const backups: Policy = (manifests) => {
  const stores = ofKind<ObjectStore>(manifests, 'ObjectStore');
  if (stores.length === 0) return [];
  const schedules = ofKind<IScheduledBackup>(manifests, 'ScheduledBackup');
  return [
    ...stores
      .filter(({ spec }) => !spec.retentionPolicy)
      .map((store) => `${nameOf(store)} keeps every backup for ever`),
    ...ofKind<ICluster>(manifests, 'Cluster').flatMap((cluster) => {
      const { plugins = [], walStorage, postgresql } = cluster.spec ?? {};
      const archiver = plugins.find(({ name, isWALArchiver }) => name === plugin && isWALArchiver);
      const store = archiver?.parameters?.['barmanObjectName'];
      const own = schedules.filter(
        ({ spec }) =>
          spec?.cluster.name === cluster.metadata.name &&
          spec.method === 'plugin' &&
          spec.pluginConfiguration?.name === plugin &&
          schedule.test(spec.schedule) &&
          !spec.suspend,
      );
      return [
        ...(stores.some(({ metadata }) => metadata.name === store) ? [] : ['archives nothing']),
        ...(archiver?.parameters?.['serverName'] ? [] : ['has no directory in the store']),
        ...(walStorage ? [] : ['can fill its data volume with what cannot be archived']),
        ...(postgresql?.parameters?.['archive_timeout'] ? [] : ['may lose any time']),
        ...(own.length === 1 ? [] : [`has ${own.length} schedules of base backups`]),
      ].map((fault) => `${nameOf(cluster)} ${fault}`);
    }),
  ];
};
