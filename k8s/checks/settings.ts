import { catalogSettings } from '@registrar/catalog';
import { consoleSettings } from '@registrar/console';
import { crawlerSettings } from '@registrar/crawler';
import { enrolmentSettings } from '@registrar/enrolment';
import { gatewaySettings } from '@registrar/gateway';
import { identitySettings } from '@registrar/identity';
import { providerSettings } from '@registrar/provider';
import { brokerSettings } from '@registrar/platform';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IContainer } from 'kubernetes-models/v1/Container';
import * as z from 'zod';
import { type Manifest, nameOf, ofKind } from './manifests.ts';
import { deployments, podOf, type Policy } from './pods.ts';

const appSettings: Readonly<Record<string, z.ZodObject>> = {
  gateway: gatewaySettings,
  identity: identitySettings,
  catalog: catalogSettings,
  enrolment: enrolmentSettings,
  crawler: crawlerSettings,
  provider: providerSettings,
  console: consoleSettings,
};

/** Variables that the OpenTelemetry SDK reads itself. */
const tracingSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
});

/** Sample contents of the files that contain settings. */
const secretValues: Readonly<Record<string, string>> = {
  AMQP_URL: 'amqps://user@rabbitmq?cacertfile=/secrets/broker-ca/ca.crt',
  DATABASE_URL: 'postgres://user@database/registrar?sslmode=verify-full',
  REPORTS_DATABASE_URL: 'postgres://user@database/registrar?sslmode=verify-full',
  CONSOLE_OIDC_CLIENT_SECRET: 'secret',
};

/** Returns the environment of a deployed app. */
export function environmentOf(
  manifests: readonly Manifest[],
  { envFrom = [], env = [] }: IContainer,
): Record<string, string> {
  const data = envFrom.map(
    ({ configMapRef }) =>
      ofKind<IConfigMap>(manifests, 'ConfigMap').find(
        ({ metadata }) => metadata.name === configMapRef?.name,
      )?.data,
  );
  const given = env.map(({ name, value }) => [name, value ?? '']);
  return Object.assign({}, ...data, Object.fromEntries(given)) as Record<string, string>;
}

/** Every app gets all required settings, with valid values, and no unknown ones. */
export const settings: Policy = (manifests) =>
  deployments(manifests).flatMap((deployment) => {
    const schema = appSettings[deployment.metadata.name];
    if (!schema) return [`${nameOf(deployment)} is not a known app`];
    return podOf(deployment)
      .containers.flatMap((container) =>
        faultsOf(
          schema.extend({ ...brokerSettings.shape, ...tracingSettings.shape }).strict(),
          environmentOf(manifests, container),
          filesOf(deployment, container),
        ),
      )
      .map((fault) => `${nameOf(deployment)}: ${fault}`);
  });

function faultsOf(
  schema: z.ZodObject,
  environment: Readonly<Record<string, string>>,
  files: ReadonlySet<string>,
): string[] {
  const faults: string[] = [];
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (name.endsWith('_FILE') && !files.has(value)) {
      faults.push(`${name} names ${value}, which is not mounted`);
    }
    const held = name in schema.shape ? undefined : /^(.+)_FILE$/.exec(name)?.[1];
    given[held ?? name] = held ? (secretValues[held] ?? '') : value;
  }
  const issues = schema.safeParse(given).error?.issues ?? [];
  return [...faults, ...issues.map(({ path, message }) => `${path.join('.')} ${message}`)];
}

/** Returns the files that Secrets mount into a container. */
function filesOf(deployment: IDeployment, { volumeMounts = [] }: IContainer): Set<string> {
  const volumes = deployment.spec?.template.spec?.volumes ?? [];
  return new Set(
    volumeMounts.flatMap(({ name, mountPath }) =>
      (volumes.find((volume) => volume.name === name)?.secret?.items ?? []).map(
        ({ path }) => `${mountPath}/${path}`,
      ),
    ),
  );
}
