import type { DedicatedPostgres } from '@registrar/persistence/testing';
import type { Balancer, DedicatedBroker, SupervisedProcess } from '@registrar/testing';
import type { Facts } from '@registrar/conformance';

/** The forms of the system that a run can use. */
export const forms = ['distributed', 'standalone'] as const;
export type Form = (typeof forms)[number];

/** The numbers of broker nodes that a run can have. */
export const brokerNodeCounts = [1, 3] as const;
export type BrokerNodeCount = (typeof brokerNodeCounts)[number];

/** The broker of a system: a single node, or a cluster. */
export interface Broker {
  readonly nodes: readonly DedicatedBroker[];
  /** The AMQP URL that the apps have. */
  readonly url: string;
  readonly namespace: string;
}

/** A system that was started for one run. */
export interface System {
  readonly form: Form;
  readonly facts: Facts;
  /** The API root of every gateway. */
  readonly baseUrls: readonly string[];
  readonly processes: readonly SupervisedProcess[];
  /** Null in the standalone form, whose process contains the bus and starts the database server. */
  readonly broker: Broker | null;
  readonly postgres: DedicatedPostgres | null;
  /** The version to upgrade to under load; null for the standalone form, which cannot be upgraded without a stop. */
  readonly next: {
    /** Migrates every schema; returns the number of migrations. */
    migrate(): Promise<number>;
    /** Returns the entry point of a process's app in the next version. */
    entryOf(process: string): string;
    /** The same of the version that the run started with. */
    previousEntryOf(process: string): string;
  } | null;
  /** The balancer in front of the provider's replicas; null in the standalone form, which has one process. */
  readonly providerBalancer: Balancer | null;
  /** The master key that is changed under load; null for the standalone form. */
  readonly masterKey: {
    readonly file: string;
    /** The apps that encrypt or decrypt secrets with the key. */
    readonly holders: readonly string[];
    /** Re-encrypts every secret with the first key of the file; returns the number of secrets. */
    reseal(): Promise<number>;
  } | null;
  /** What rotates the other secrets under load; null for the standalone form. */
  readonly rotation: {
    /** Runs the command line, and returns what it prints as JSON. */
    readonly registrar: (...words: string[]) => Promise<unknown>;
  } | null;
  /** The directory of all logs. */
  readonly directory: string;
  /** Returns the address of the database; it changes with every start of the standalone form. */
  databaseUrl(): Promise<string>;
}

/** Frequent crawls, so that results arrive before the run ends. */
export const crawlSettings = { CRAWL_INTERVAL_SECONDS: '1', CRAWL_RATE_PER_SECOND: '200' };
