import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { Manifest } from '../checks/manifests.ts';
import type { Parameter } from './parameters.ts';

/** The values that say which pods of other namespaces a policy lets in, by the namespaces of the overlay. */
const peers: Readonly<Record<string, string>> = {
  ingress: 'network.ingress',
  monitoring: 'network.monitoring',
  keda: 'network.keda',
  'cnpg-system': 'network.databaseOperator',
  'rabbitmq-system': 'network.brokerOperator',
};

/** The values that are all rules of a policy for connections outwards; those to stores where no selector finds the store. */
const outwards: Readonly<Record<string, string>> = {
  apps: 'network.dns',
  'contexts-to-database': 'network.database',
  'apps-outwards': 'network.broker',
};

/** The values in a network policy. */
export function networkParameters(manifest: Manifest): Parameter[] {
  const { spec } = manifest as Manifest & INetworkPolicy;
  const { name } = manifest.metadata;
  const value = outwards[name];
  const rules = value !== undefined && (name === 'apps' || !spec?.egress?.[0]?.to);
  return [
    ...(spec?.ingress ?? []).flatMap(({ from = [] }, rule) =>
      from.flatMap(({ namespaceSelector }, peer): Parameter[] => {
        const namespace = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'] ?? '';
        const admitted = peers[namespace];
        return admitted
          ? [{ path: ['spec', 'ingress', rule, 'from', peer], value: admitted, form: 'items' }]
          : [];
      }),
    ),
    ...(rules ? [{ path: ['spec', 'egress'], value }] : []),
  ];
}
