import { once } from 'node:events';
import * as z from 'zod';

const order = z.object({ databaseUrl: z.string(), greets: z.boolean() });

// Waits in reserve with every third-party package loaded, which is half of a start's work.
const packages = process.argv.slice(2);
await Promise.all(packages.map((name) => import(name).catch(() => undefined)));

const [message] = (await once(process, 'message')) as unknown[];
const { runStandalone } = await import('../run-standalone.ts');
await runStandalone(order.parse(message));
