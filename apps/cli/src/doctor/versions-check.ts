import { apps } from '@registrar/bootstrap';
import { type Finding, ok, warn } from './check.ts';
import type { ManagedBroker } from './management-api.ts';

/** Whether all replicas run one version, by the client properties of their connections to RabbitMQ. */
export function versions({ connections, user }: ManagedBroker, namespace: string): Finding {
  const replicas = connections
    .map(({ client_properties: properties }) => properties)
    .filter((each) => each.product === 'Registrar' && each.namespace === namespace)
    .map(({ connection_name: name, version }) => ({
      app: apps.find((app) => name === `registrar ${app}`),
      version: version ?? 'unknown',
    }))
    // The command line may have another version than the services.
    .filter(({ app }) => app !== undefined);
  if (replicas.length === 0) {
    return warn(
      `RabbitMQ shows ${user} no connections of the apps, so that their versions were not compared`,
      `start the apps, or let ${user} see them: rabbitmqctl set_user_tags ${user} monitoring`,
    );
  }
  const byVersion = Map.groupBy(replicas, ({ version }) => version);
  if (byVersion.size === 1)
    return ok(`all ${replicas.length} replicas have ${[...byVersion.keys()][0]}`);
  const named = [...byVersion].sort().map(([version, those]) => {
    const counts = [...Map.groupBy(those, ({ app }) => app)].sort();
    return `${version} (${counts.map(([app, of]) => `${of.length} of ${app}`).join(', ')})`;
  });
  return warn(
    `replicas of ${byVersion.size} versions run at once: ${named.join(', ')}`,
    'finish the upgrade, or undo it, so that all have one version; during an upgrade this is normal',
  );
}
