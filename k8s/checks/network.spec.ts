import { describe, expect, it } from 'vitest';
import { change, type Path } from './change.ts';
import { describeManifests } from './describe-manifests.ts';
import { type Manifest, overlays, render, renderWith } from './manifests.ts';
import { allowedEdges, type Peer, podsOf } from './network.ts';

/** A pod of another namespace. */
const otherNamespace = (name: string, namespace = name, labels = {}): Peer => ({
  name,
  pod: { namespace, labels },
  ports: [],
});
const store = (name: string, labels: Record<string, string>, ...ports: number[]): Peer => ({
  name,
  pod: { namespace: 'registrar', labels },
  ports: ports.map((number) => ({ number })),
});

const dnsPorts = [{ number: 53 }, { number: 53, protocol: 'UDP' }] as const;

/** The peers of the apps: pods of Kubernetes operators in the namespace, other namespaces, and the internet. */
const surroundingPeers: Peer[] = [
  store('rabbitmq', { 'app.kubernetes.io/name': 'rabbitmq' }, 5671, 15671, 15691, 4369, 25672),
  store('database', { 'cnpg.io/cluster': 'database' }, 5432, 8000, 9187),
  store('pooler', { 'cnpg.io/poolerName': 'database-pooler' }, 5432, 9127),
  store('solver', { 'acme.cert-manager.io/http01-solver': 'true' }, 8089),
  // A foreign pod in the namespace, and a pod of an unrelated namespace.
  store('guest', { app: 'guest' }, 8080),
  otherNamespace('stranger'),
  otherNamespace('ingress'),
  otherNamespace('monitoring'),
  otherNamespace('keda'),
  otherNamespace('cnpg-system'),
  otherNamespace('rabbitmq-system'),
  {
    ...otherNamespace('dns', 'kube-system', { 'k8s-app': 'kube-dns' }),
    ports: dnsPorts,
  },
  { name: 'node-local-dns', pod: null, address: '169.254.20.10', ports: dnsPorts },
  { ...otherNamespace('collector', 'tracing'), ports: [{ number: 4317 }, { number: 4318 }] },
  { ...otherNamespace('system', 'kube-system'), ports: [{ number: 443 }] },
  { name: 'internet', pod: null, address: '203.0.113.7', ports: [{ number: 443 }, { number: 80 }] },
  { name: 'intranet', pod: null, address: '10.1.2.3', ports: [{ number: 443 }] },
  { name: 'internet6', pod: null, address: '2606:4700::1111', ports: [{ number: 443 }] },
  { name: 'intranet6', pod: null, address: 'fd00::7', ports: [{ number: 443 }] },
  // 10.1.2.3, through a translator of the network.
  { name: 'translated', pod: null, address: '64:ff9b::a01:203', ports: [{ number: 443 }] },
];

const contexts = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];
const apps = ['gateway', ...contexts, 'console'];

/** The context map of docs/architecture.md as connections. */
const contextMap = [
  'ingress -> gateway:8080',
  'ingress -> provider:8090',
  'ingress -> console:8070',
  // Postbacks.
  'provider -> gateway:8080',
  'ingress -> solver:8089',
  ...apps.map((app) => `${app} -> rabbitmq:5671`),
  ...[...contexts, 'console', 'migrate'].map((each) => `${each} -> database:5432`),
  // With the component `pooler`, which no other policy names.
  ...[...contexts, 'console', 'migrate'].map((each) => `${each} -> pooler:5432`),
  'pooler -> database:5432',
  'monitoring -> pooler:9127',
  ...['catalog', 'enrolment', 'crawler'].flatMap((context) => [
    `${context} -> provider:8090`,
    // The hosted provider.
    `${context} -> internet:443`,
    `${context} -> internet6:443`,
  ]),
  // The identity provider.
  'console -> internet:443',
  'console -> internet6:443',
  ...apps.map((app) => `monitoring -> ${app}:9090`),
  ...[...apps, 'migrate'].flatMap((app) =>
    ['dns', 'node-local-dns'].flatMap((dns) => [`${app} -> ${dns}:53`, `${app} -> ${dns}:53/UDP`]),
  ),
  // The stores and their operators.
  'monitoring -> rabbitmq:15691',
  'rabbitmq -> rabbitmq:25672',
  'rabbitmq -> rabbitmq:4369',
  'rabbitmq-system -> rabbitmq:15671',
  'monitoring -> database:9187',
  'database -> database:5432',
  'database -> database:8000',
  'cnpg-system -> database:5432',
  'cnpg-system -> database:8000',
  'keda -> database:5432',
].sort();

/** Tells whether the policies decide about a connection; those between other pods and the outside are ignored. */
const isUnderPolicy = (edge: string): boolean => {
  const [from, to] = edge.split(/ -> |:/);
  const isAround = (name: string | undefined) =>
    surroundingPeers.some((peer) => peer.name === name);
  const isOutside = (name: string | undefined) =>
    name === 'dns' ||
    name === 'system' ||
    name === 'collector' ||
    surroundingPeers.some((peer) => peer.name === name && !peer.pod);
  return !(isAround(from) && isOutside(to));
};

const edges = (manifests: readonly Manifest[]): string[] =>
  allowedEdges(manifests, [...podsOf(manifests), ...surroundingPeers]).filter(isUnderPolicy);

const noPod = { matchLabels: { no: 'pod' } };

/** Changes of a policy, with a connection that each opens or closes. */
const mistakes: readonly [string, Path, unknown, opens: string | null, closes: string | null][] = [
  ['gateway', ['ingress', 0, 'from', 0, 'namespaceSelector'], {}, 'stranger -> gateway:8080', null],
  ['provider', ['ingress', 0, 'from'], undefined, 'guest -> provider:8090', null],
  ['console', ['ingress', 0, 'from'], undefined, 'guest -> console:8070', null],
  ['console-to-identity-provider', ['podSelector'], noPod, null, 'console -> internet:443'],
  ['closed', ['podSelector'], noPod, 'stranger -> guest:8080', null],
  ['certificate-solver', ['podSelector'], noPod, null, 'ingress -> solver:8089'],
  ['broker', ['ingress', 0, 'from'], undefined, 'stranger -> rabbitmq:5671', null],
  ['database', ['ingress', 0, 'ports'], undefined, 'keda -> database:8000', null],
  ['apps', ['egress', 0], {}, 'gateway -> intranet:443', null],
  ['apps', ['policyTypes'], ['Ingress'], null, 'gateway -> dns:53'],
  [
    'contexts-to-provider',
    ['egress', 1, 'to', 0, 'ipBlock', 'except'],
    [],
    'crawler -> intranet:443',
    null,
  ],
  [
    'contexts-to-provider',
    ['egress', 1, 'to', 1, 'ipBlock', 'except'],
    ['fc00::/7'],
    'crawler -> translated:443',
    null,
  ],
  [
    'contexts-to-provider',
    ['egress', 1, 'to', 1, 'ipBlock', 'cidr'],
    '2001:db8::/32',
    null,
    'crawler -> internet6:443',
  ],
  ['apps', ['egress', 0, 'to', 1], undefined, null, 'gateway -> node-local-dns:53/UDP'],
  ['contexts-to-database', ['podSelector'], noPod, null, 'identity -> database:5432'],
  ['apps', ['ingress', 0, 'ports', 0, 'port'], 'http', null, 'monitoring -> crawler:9090'],
];

describeManifests('in Kubernetes, connections', () => {
  const production = render('k8s/overlays/production');

  describe('the network policies', () => {
    it.each(overlays)(
      'the network policies allow exactly the connections of the context map in %s',
      (overlay) => {
        expect(edges(render(overlay))).toEqual(contextMap);
      },
    );

    it('also allow connections to the collector with the component `tracing`', () => {
      const traced = renderWith('k8s/components/tracing', 'k8s/overlays/production');
      const ways = apps.map((app) => `${app} -> collector:4318`);
      expect(edges(traced)).toEqual([...contextMap, ...ways].sort());
    });

    it.each(mistakes)(
      'the network policies differ from the context map after a change of %s at %j to %j',
      (name, path, value, opens, closes) => {
        const found = edges(change(production, `NetworkPolicy ${name}`, ['spec', ...path], value));
        if (opens) expect(found.filter((edge) => !contextMap.includes(edge))).toContain(opens);
        if (closes) expect(contextMap.filter((edge) => !found.includes(edge))).toContain(closes);
      },
    );
  });
});
