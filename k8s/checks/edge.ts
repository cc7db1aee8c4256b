import type { IGateway } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/Gateway';
import type { IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import type { IMiddleware } from '@kubernetes-models/traefik/traefik.io/v1alpha1/Middleware';
import type { ICertificate } from '@kubernetes-models/cert-manager/cert-manager.io/v1/Certificate';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { IService } from 'kubernetes-models/v1/Service';
import { catalogSettings } from '@registrar/catalog';
import { gatewaySettings } from '@registrar/gateway';
import { nameOf, ofKind } from './manifests.ts';
import { deployments, podOf, type Policy } from './pods.ts';
import { environmentOf } from './settings.ts';

const { MAX_PACKAGE_BYTES: maxPackageBytes } = catalogSettings.shape;
const {
  ADDRESS_REQUESTS_PER_SECOND: addressRate,
  MAX_CONNECTIONS_PER_ADDRESS: addressConnections,
} = gatewaySettings.shape;

/** Returns the default of a setting that is a number. */
const defaultOf = (setting: { parse(value: undefined): unknown }): number =>
  Number(setting.parse(undefined));

const nginx = (name: string) => `nginx.ingress.kubernetes.io/${name}`;

type Limit = NonNullable<IMiddleware['spec']['rateLimit'] | IMiddleware['spec']['inFlightReq']>;

/** Whether a limit of Traefik counts each client's address by itself: its default for requests in flight is the host. */
const countsAddresses = ({ sourceCriterion }: Limit): boolean =>
  sourceCriterion?.ipStrategy !== undefined &&
  !sourceCriterion.requestHost &&
  sourceCriterion.requestHeaderName === undefined;

/**
 * The controllers let pass what the apps accept, so that the apps' own answers say what is wrong, and stop
 * a single address that sends far more.
 */
export const edgeLimits: Policy = (manifests) => {
  const rate = defaultOf(addressRate);
  const connections = defaultOf(addressConnections);
  const between = (value: unknown, least: number) =>
    Number(value) >= least && Number(value) <= least * 4;
  return [
    ...ofKind(manifests, 'Ingress').flatMap((ingress) => {
      const { annotations = {} } = ingress.metadata;
      const body = /^(\d+)m$/.exec(annotations[nginx('proxy-body-size')] ?? '')?.[1];
      return [
        Number(body ?? 0) * 2 ** 20 <= defaultOf(maxPackageBytes) && 'refuses packages',
        annotations[nginx('proxy-request-buffering')] !== 'off' && 'stores bodies',
        annotations[nginx('proxy-buffering')] !== 'off' && 'stores lists',
        Number(annotations[nginx('proxy-read-timeout')] ?? 60) < 600 && 'breaks imports off',
        !between(annotations[nginx('limit-rps')], rate) && 'has no rate of an address',
        !between(annotations[nginx('limit-connections')], connections) &&
          'has no number of connections of an address',
      ].flatMap((fault) => (fault ? [`${nameOf(ingress)} ${fault}`] : []));
    }),
    ...ofKind<IMiddleware>(manifests, 'Middleware').flatMap((middleware) => {
      const { rateLimit, inFlightReq } = middleware.spec;
      return [
        rateLimit && !between(rateLimit.average, rate) && 'has no rate of an address',
        inFlightReq &&
          !between(inFlightReq.amount, connections) &&
          'has no number of requests of an address',
        [rateLimit, inFlightReq].some((limit) => limit && !countsAddresses(limit)) &&
          'does not count by the address of a client',
      ].flatMap((fault) => (fault ? [`${nameOf(middleware)} ${fault}`] : []));
    }),
  ];
};

/** The apps with an address for browsers, and the setting that contains it. */
const addressSettings: Readonly<Record<string, string>> = {
  gateway: 'PUBLIC_URL',
  provider: 'PROVIDER_CONTENT_URL',
  console: 'CONSOLE_URL',
};

/** Where an edge is, each app's address leads to its Service: the host, and the longest path that begins the address. */
export const addresses: Policy = (manifests) => {
  const ways = [
    ...ofKind<IIngress>(manifests, 'Ingress').flatMap(({ spec }) =>
      (spec?.rules ?? []).flatMap(({ host, http }) =>
        (http?.paths ?? []).map(({ path = '/', backend }) => ({
          host,
          path,
          to: backend.service?.name,
        })),
      ),
    ),
    ...ofKind<IHTTPRoute>(manifests, 'HTTPRoute').flatMap(({ spec }) =>
      (spec?.hostnames ?? []).flatMap((host) =>
        (spec?.rules ?? []).flatMap(({ matches, backendRefs }) =>
          (matches ?? [{ path: { value: '/' } }]).map((match) => ({
            host,
            path: match.path?.value ?? '/',
            to: backendRefs?.[0]?.name,
          })),
        ),
      ),
    ),
  ];
  if (ways.length === 0) return [];
  return deployments(manifests).flatMap((deployment) => {
    const setting = addressSettings[deployment.metadata.name];
    if (!setting) return [];
    const address = environmentOf(manifests, podOf(deployment).containers[0]!)[setting] ?? '';
    const { host, pathname } = new URL(address);
    const [way] = ways
      .filter((each) => each.host === host && `${pathname}/`.startsWith(each.path))
      .toSorted((one, other) => other.path.length - one.path.length);
    return way?.to === deployment.metadata.name
      ? []
      : [`${setting} ${address} leads to ${way?.to ?? 'nothing'}`];
  });
};

/** Traefik's names of objects, `NAMESPACE-NAME@kubernetescrd`, name objects of the manifests. */
export const traefikNames: Policy = (manifests) => {
  const known = ['Middleware', 'ServersTransport'].flatMap((kind) =>
    ofKind(manifests, kind).map(
      ({ metadata }) => `${String(metadata['namespace'])}-${metadata.name}@kubernetescrd`,
    ),
  );
  return manifests.flatMap((each) =>
    Object.entries(each.metadata.annotations ?? {})
      .filter(([, value]) => value.endsWith('@kubernetescrd') && !known.includes(value))
      .map(([name, value]) => `${nameOf(each)} has ${name} ${value}, which does not exist`),
  );
};

/** Each HTTPRoute leads from a listener of a Gateway, with its host and certificate, to a port of a Service. */
export const routes: Policy = (manifests) => {
  const listeners = ofKind<IGateway>(manifests, 'Gateway').flatMap(({ metadata, spec }) =>
    (spec?.listeners ?? []).map((listener) => ({ gateway: metadata.name, ...listener })),
  );
  const certificates = ofKind<ICertificate>(manifests, 'Certificate');
  const services = ofKind<IService>(manifests, 'Service');
  return [
    ...listeners
      .filter(({ tls, hostname }) =>
        certificates.every(
          ({ spec }) =>
            spec?.secretName !== tls?.certificateRefs?.[0]?.name ||
            !spec?.dnsNames?.includes(hostname ?? ''),
        ),
      )
      .map(({ name }) => `the listener ${name} has no certificate for its host`),
    ...ofKind<IHTTPRoute>(manifests, 'HTTPRoute').flatMap((route) => {
      const { parentRefs = [], hostnames = [], rules = [] } = route.spec ?? {};
      const parents = listeners.filter(({ gateway, name, hostname }) =>
        parentRefs.some(
          (ref) =>
            ref.name === gateway && ref.sectionName === name && hostname === hostnames.join(),
        ),
      );
      const backends = rules.flatMap((rule) => rule.backendRefs ?? []);
      return [
        parents.length !== 1 && 'has no listener for its host',
        backends.some(
          ({ name, port }) =>
            !services.some(
              ({ metadata, spec }) =>
                metadata?.name === name && spec?.ports?.some((each) => each.port === port),
            ),
        ) && 'leads to no port of a Service',
        rules.some(({ timeouts }) => timeouts?.request !== '0s') && 'breaks long responses off',
      ].flatMap((fault) => (fault ? [`${nameOf(route)} ${fault}`] : []));
    }),
  ];
};
