import type { AppName } from '@registrar/bootstrap';
import { identityProviderClient } from '@registrar/console/testing/identity-provider';
import type { BusApp } from '@registrar/contracts';
import type { RunningSystem } from '@registrar/standalone/testing';
import { freePort, type SupervisedProcess } from '@registrar/testing';
import type { KnownSecrets } from './known-secrets.ts';

/** A process of the system. */
export interface TargetProcess {
  /** `enrolment`, or `gateway-2` where an app has several; `standalone` for all apps in one. */
  readonly name: string;
  readonly apps: readonly AppName[];
  /** Where each of its apps serves health and metrics. */
  readonly managementUrls: readonly string[];
  readonly logFile: string;
  readonly supervised: SupervisedProcess;
}

/** The broker of the distributed form, at which each app has an account of its own. */
export interface TargetBroker {
  readonly namespace: string;
  amqpUrl(app: BusApp): string;
}

/** A system with the accounts and limits that an installation has. */
export interface Target extends RunningSystem {
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  /** The console, without a slash at its end. */
  readonly consoleUrl: string;
  /** Where the console expects its identity provider, on this machine. No other program listens there. */
  readonly identityProviderPort: number;
  /** The API root of each gateway. */
  readonly baseUrls: readonly string[];
  readonly processesOfApps: readonly TargetProcess[];
  /** Null in the standalone form. */
  readonly broker: TargetBroker | null;
  /** What no log, trace or answer may contain. Attacks add the secrets that they receive. */
  readonly secrets: KnownSecrets;
  /** Runs the command line, `registrar`, as the operator; returns what it printed. */
  registrar(...words: string[]): Promise<string>;
}

/**
 * The heap that V8 chooses in a container of 512 MiB, as in docker-compose.yml and k8s/base, and the
 * young generation of the image.
 */
export const nodeOptions = '--max-old-space-size=256';

/** The settings of the console, and where an attack that needs an identity provider starts it. */
export async function consoleOfTarget() {
  const [port, identityProviderPort] = await Promise.all([freePort(), freePort()]);
  return {
    consoleUrl: `http://localhost:${port}`,
    identityProviderPort,
    settings: {
      CONSOLE_PORT: String(port),
      CONSOLE_OIDC_ISSUER: `http://localhost:${identityProviderPort}`,
      ...identityProviderClient,
    },
  };
}

/** Settings of every target. */
export const targetSettings = (collectorUrl: string): Record<string, string> => ({
  LOG_LEVEL: 'info',
  // More often than by default, so that attacks meet crawls.
  CRAWL_INTERVAL_SECONDS: '3',
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  // One trace in twenty: recording all of them would slow every attack down.
  OTEL_TRACES_SAMPLER_ARG: '0.05',
});
