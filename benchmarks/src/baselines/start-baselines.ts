import { randomUUID } from 'node:crypto';
import { startProgram } from '../system/start-program.ts';

/** A running baseline. */
export interface Baseline {
  readonly url: string;
  /** The process that serves HTTP, and the one behind it. */
  readonly pids: { readonly HTTP: number; readonly contexts?: number };
}

/** Starts the baseline bare on a database that a system has filled. */
export async function startBare(
  resources: AsyncDisposableStack,
  databaseUrl: string,
): Promise<Baseline> {
  const settings = { DATABASE_URL: databaseUrl };
  const { ready, pid } = await startProgram(resources, 'baselines/bare', settings);
  return { url: String(ready), pids: { HTTP: pid } };
}

/** Starts the two processes of the baseline stock on a database that a system has filled. */
export async function startStock(
  resources: AsyncDisposableStack,
  databaseUrl: string,
  brokerUrl: string,
): Promise<Baseline> {
  const queue = { AMQP_URL: brokerUrl, STOCK_QUEUE: `stock-${randomUUID()}` };
  const service = await startProgram(resources, 'baselines/stock-service', {
    DATABASE_URL: databaseUrl,
    ...queue,
  });
  const { ready, pid } = await startProgram(resources, 'baselines/stock', queue);
  return { url: String(ready), pids: { HTTP: pid, contexts: service.pid } };
}
