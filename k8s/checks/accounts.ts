import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import type { IDatabase } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Database';
import type { IExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import { brokerPermissions, permissionDefinitions } from '@registrar/bus';
import { type BusApp, busApps } from '@registrar/contracts';
import { contextSchemas } from '@registrar/persistence';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { isDeepStrictEqual } from 'node:util';
import { type Manifest, nameOf, ofKind } from './manifests.ts';
import { containersOf, podOf, type Policy, workloads } from './pods.ts';

interface Permission {
  readonly spec: {
    readonly vhost: string;
    readonly userReference: { readonly name: string };
    readonly permissions: Readonly<Record<string, string>>;
  };
}

/** The tags of users that may read the management API of RabbitMQ, as `registrar doctor` does. */
const tagsOf: Readonly<Partial<Record<BusApp, readonly string[]>>> = {
  operator: ['monitoring'],
};

interface Exchange {
  readonly spec: Readonly<Record<'name' | 'vhost' | 'type', string>> &
    Readonly<Record<'durable' | 'autoDelete', boolean>>;
}

/** The exchanges are those that the bus declares. */
export const brokerExchanges: Policy = (manifests) => {
  const declared = permissionDefinitions({
    namespace: 'registrar',
    vhost: 'registrar',
    prefix: '',
  }).exchanges.map(({ name, vhost, type, durable, auto_delete: autoDelete }) => ({
    name,
    vhost,
    type,
    durable,
    autoDelete,
  }));
  const given = ofKind<Exchange>(manifests, 'Exchange').map(
    ({ spec: { name, vhost, type, durable, autoDelete } }) => ({
      name,
      vhost,
      type,
      durable,
      autoDelete,
    }),
  );
  return isDeepStrictEqual(new Set(given), new Set(declared))
    ? []
    : ['the exchanges are others than the bus declares'];
};

/** Each app's RabbitMQ user has exactly the permissions that the bus declares. */
export const brokerAccounts: Policy = (manifests) => {
  const vhost = ofKind<{ spec: { name: string } }>(manifests, 'Vhost')[0]?.spec.name;
  const namespace = ofKind<IConfigMap>(manifests, 'ConfigMap').find(
    ({ data }) => data?.['BUS_NAMESPACE'],
  )?.data?.['BUS_NAMESPACE'];
  const given = (kind: string, user: string) =>
    ofKind<Permission>(manifests, kind)
      .filter(({ spec }) => spec.userReference.name === user && spec.vhost === vhost)
      .map(({ spec }) => spec.permissions);
  return busApps
    .filter((user) => {
      const { topics, ...permissions } = brokerPermissions(user, namespace ?? '');
      return !(
        ofKind<{ spec: { tags?: string[] } }>(manifests, 'User').some(
          ({ metadata, spec }) =>
            metadata.name === user && isDeepStrictEqual(spec.tags, tagsOf[user]),
        ) &&
        isDeepStrictEqual(given('Permission', user), [permissions]) &&
        isDeepStrictEqual(new Set(given('TopicPermission', user)), new Set(topics))
      );
    })
    .map((user) => `the broker's user ${user} has other permissions than the bus declares`);
};

/** Each context's role owns its schemas and has no other privileges. */
export const databaseAccounts: Policy = (manifests) => {
  const owned = ofKind<IDatabase>(manifests, 'Database').flatMap(({ spec }) => spec?.schemas ?? []);
  const roles = ofKind<ICluster>(manifests, 'Cluster').flatMap(
    ({ spec }) => spec?.managed?.roles ?? [],
  );
  const schemas = Object.entries(contextSchemas).map(([context, names]) => {
    const found = owned.filter(({ owner }) => owner === context).map(({ name }) => name);
    return isDeepStrictEqual(found, [...names]) ? [] : [`${context} owns ${found.join()}`];
  });
  const known = Object.keys(contextSchemas);
  return [
    ...schemas.flat(),
    ...(isDeepStrictEqual(
      roles.map(({ name }) => name),
      known,
    )
      ? []
      : ['the roles differ from the contexts']),
    ...roles
      .filter(
        ({ login, superuser, createdb, createrole, replication, bypassrls, inRoles = [] }) =>
          !login ||
          superuser ||
          createdb ||
          createrole ||
          replication ||
          bypassrls ||
          inRoles.length > 0,
      )
      .map(({ name }) => `the role ${name} has more privileges than required`),
  ];
};

/**
 * The user name in an app's address is that of the account that the Kubernetes operators create for it. Reports are
 * read from the standbys of the same database, as the same role.
 */
export const storeAddresses: Policy = (manifests) =>
  ofKind<IExternalSecret>(manifests, 'ExternalSecret').flatMap((secret) => {
    const [, account, store] = /^(.+)-(broker|database)$/.exec(secret.metadata.name) ?? [];
    if (!store) return [];
    const { username, url, 'reports-url': reportsUrl } = secret.spec?.target?.template?.data ?? {};
    const isAddress = (given: string | undefined, expected: string) => {
      const parsed = URL.parse(given?.replace(/\{\{.*?\}\}/, 'password') ?? '');
      const place = `${parsed?.protocol}//${parsed?.host}${parsed?.pathname}${parsed?.search}`;
      return parsed?.username === username && place === expected;
    };
    const isRight =
      username === account &&
      isAddress(
        url,
        store === 'broker' ? brokerAddress(manifests) : databaseAddress(manifests, 'rw'),
      ) &&
      (reportsUrl === undefined || isAddress(reportsUrl, databaseAddress(manifests, 'ro')));
    return isRight ? [] : [`${nameOf(secret)} has another address than the store`];
  });

/** The files by which the apps verify the stores. */
const authorities = {
  broker: '/secrets/broker-ca/ca.crt',
  database: '/secrets/database-ca/ca.crt',
} as const;

/** Every container that has the URL of a store also has the file of the store's authority. */
export const storeAuthorities: Policy = (manifests) =>
  workloads(manifests).flatMap((workload) => {
    const volumes = podOf(workload).volumes ?? [];
    return containersOf(workload).flatMap(({ name, volumeMounts = [] }) => {
      const mounted = volumeMounts.flatMap((mount) => {
        const secret = volumes.find((volume) => volume.name === mount.name)?.secret;
        const files = (secret?.items ?? []).map(({ path }) => `${mount.mountPath}/${path}`);
        return [{ secretName: secret?.secretName, files }];
      });
      return (['broker', 'database'] as const)
        .filter((store) => mounted.some(({ secretName }) => secretName?.endsWith(`-${store}`)))
        .filter((store) => !mounted.some(({ files }) => files.includes(authorities[store])))
        .map((store) => `${nameOf(workload)}, ${name} cannot verify the ${store}`);
    });
  });

/** Neither store accepts connections without TLS. */
export const encryptedStores: Policy = (manifests) => [
  ...ofKind<{ spec: { tls: { disableNonTLSListeners: boolean } } }>(manifests, 'RabbitmqCluster')
    .filter(({ spec }) => !spec.tls.disableNonTLSListeners)
    .map((broker) => `${nameOf(broker)} accepts connections without TLS`),
  ...ofKind<ICluster>(manifests, 'Cluster')
    .filter(({ spec }) => spec.postgresql?.pg_hba?.[0] !== 'hostnossl all all all reject')
    .map((database) => `${nameOf(database)} accepts connections without TLS`),
];

const nameOfFirst = (manifests: readonly Manifest[], kind: string) =>
  ofKind(manifests, kind)[0]?.metadata.name;

/** Returns the address under which RabbitMQ's operator publishes the broker. */
function brokerAddress(manifests: readonly Manifest[]): string {
  const vhost = ofKind<{ spec: { name: string } }>(manifests, 'Vhost')[0]?.spec.name;
  const host = nameOfFirst(manifests, 'RabbitmqCluster');
  return `amqps://${host}:5671/${vhost}?cacertfile=${authorities.broker}`;
}

/** Returns the address of the primary (`rw`), through its pooler if it has one, or of the standbys (`ro`). */
function databaseAddress(manifests: readonly Manifest[], instances: 'rw' | 'ro'): string {
  const database = ofKind<IDatabase>(manifests, 'Database')[0]?.spec?.name;
  const pooler = instances === 'rw' ? nameOfFirst(manifests, 'Pooler') : undefined;
  const host = pooler ?? `${nameOfFirst(manifests, 'Cluster')}-${instances}`;
  return (
    `postgres://${host}:5432/${database}` +
    `?sslmode=verify-full&sslrootcert=${authorities.database}`
  );
}
