import type { OwnBroker, OwnPostgres, SupervisedProcess } from '#libs/testing';
import type { Facts } from '../conformance/installation.ts';
import type { Balancer } from './balancer.ts';

/** The forms of the system that can be tried. */
export const forms = ['distributed', 'standalone'] as const;
export type Form = (typeof forms)[number];

/** A system to break: everything of it was started for that. */
export interface System {
  readonly form: Form;
  readonly facts: Facts;
  /** The API with its root, at every gateway. */
  readonly baseUrls: readonly string[];
  readonly processes: readonly SupervisedProcess[];
  /** Null in standalone, as the database server: they belong to the process. */
  readonly broker: { readonly node: OwnBroker; readonly namespace: string } | null;
  readonly postgres: OwnPostgres | null;
  /** The version to upgrade to under load; null where all is one process, which stops for that. */
  readonly next: {
    /** Brings every schema to it, and answers how many migrations that took. */
    migrate(): Promise<number>;
    /** Where the app of a process begins in it. */
    entryOf(process: string): string;
    /** In front of the provider's replicas. */
    readonly balancer: Balancer;
  } | null;
  /** To be changed under load; null where all is one process. */
  readonly masterKey: {
    readonly file: string;
    /** The apps that seal or open secrets with it. */
    readonly holders: readonly string[];
    /** Seals every secret under the first key of the file, and answers how many that were. */
    reseal(): Promise<number>;
  } | null;
  /** Where everything is logged. */
  readonly directory: string;
  /** Of all contexts; standalone's moves with every start. */
  databaseUrl(): Promise<string>;
}

/** Often enough that what a learner has reached shows before the run has ended. */
export const crawling = { CRAWL_INTERVAL_SECONDS: '1', CRAWL_RATE_PER_SECOND: '200' };
