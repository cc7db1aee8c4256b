import { BlockList, isIPv6 } from 'node:net';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer';
import type { INetworkPolicyPort } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPort';
import type { ILabelSelector } from '@kubernetes-models/apimachinery/apis/meta/v1/LabelSelector';
import { type Manifest, ofKind } from './manifests.ts';
import { containersOf, workloads } from './pods.ts';

interface Port {
  readonly number: number;
  readonly name?: string | undefined;
  readonly protocol?: 'UDP' | 'TCP';
}

/** A peer of a connection, and the ports on which it listens. */
export interface Peer {
  readonly name: string;
  readonly ports: readonly Port[];
  /** Namespace and labels of a pod; null for a peer outside of the cluster. */
  readonly pod: { readonly namespace: string; readonly labels: Record<string, string> } | null;
  readonly address?: string;
}

const namespace = 'registrar';

/** Returns the pods of the workloads with their container ports. */
export const podsOf = (manifests: readonly Manifest[]): Peer[] =>
  workloads(manifests).map((workload) => ({
    name: workload.metadata.name,
    pod: { namespace, labels: workload.spec!.template.metadata?.labels ?? {} },
    ports: containersOf(workload)
      .flatMap(({ ports = [] }) => ports)
      .map(({ name, containerPort }) => ({ name, number: containerPort })),
  }));

/**
 * Returns the sorted connections between peers that the network policies allow, as `from -> to:port`.
 * Both ends must allow a connection; an end that no policy selects allows every connection.
 */
export function allowedEdges(manifests: readonly Manifest[], peers: readonly Peer[]): string[] {
  const policies = ofKind<INetworkPolicy>(manifests, 'NetworkPolicy');
  return peers
    .flatMap((from) =>
      peers
        .filter((to) => to !== from || to.pod)
        .flatMap((to) =>
          to.ports
            .filter(
              (port) =>
                allows(policies, 'Egress', from, to, port, to) &&
                allows(policies, 'Ingress', to, from, port, to),
            )
            .map((port) => `${from.name} -> ${to.name}:${port.number}${suffix(port)}`),
        ),
    )
    .sort();
}

const suffix = ({ protocol }: Port): string => (protocol === 'UDP' ? '/UDP' : '');

function allows(
  policies: readonly INetworkPolicy[],
  direction: 'Ingress' | 'Egress',
  self: Peer,
  other: Peer,
  port: Port,
  listener: Peer,
): boolean {
  const { pod } = self;
  if (pod?.namespace !== namespace) return true;
  const selecting = policies.filter(
    ({ spec }) =>
      spec?.policyTypes?.includes(direction) && selects(spec.podSelector ?? {}, pod.labels),
  );
  if (selecting.length === 0) return true;
  return selecting.some(({ spec }) => {
    const rules =
      direction === 'Ingress'
        ? (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }))
        : (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }));
    return rules.some(
      ({ peers, ports }) =>
        (!peers || peers.some((peer) => matches(peer, other))) &&
        (!ports || ports.some((allowed) => isPort(allowed, port, listener))),
    );
  });
}

function isPort({ port, protocol = 'TCP' }: INetworkPolicyPort, actual: Port, at: Peer): boolean {
  if (protocol !== (actual.protocol ?? 'TCP')) return false;
  if (typeof port !== 'string') return port === undefined || port === actual.number;
  return at.ports.some(({ name, number }) => name === port && number === actual.number);
}

function matches(peer: INetworkPolicyPeer, { pod, address }: Peer): boolean {
  const { ipBlock, podSelector, namespaceSelector } = peer;
  if (ipBlock) return address !== undefined && isWithin(ipBlock, address);
  if (!pod) return false;
  const inNamespace = namespaceSelector
    ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': pod.namespace })
    : pod.namespace === namespace;
  return inNamespace && (!podSelector || selects(podSelector, pod.labels));
}

function isWithin({ cidr, except = [] }: { cidr: string; except?: string[] }, address: string) {
  const isIn = (block: string) => {
    const [network = '', prefix] = block.split('/');
    if (isIPv6(network) !== isIPv6(address)) return false;
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    const list = new BlockList();
    list.addSubnet(network, Number(prefix), family);
    return list.check(address, family);
  };
  return isIn(cidr) && !except.some(isIn);
}

function selects(
  { matchLabels = {}, matchExpressions = [] }: ILabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`${operator} is not supported by this check`);
      return values.includes(labels[key] ?? '');
    })
  );
}
