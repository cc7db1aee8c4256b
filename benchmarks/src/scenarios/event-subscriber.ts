import { Effects, startSubscriber } from './event-apps.ts';

/**
 * The subscriber as a process of its own: reports the number of events and the time for each commit, in
 * milliseconds since the epoch.
 */
const app = await startSubscriber({
  databaseUrl: process.env['DATABASE_URL'] ?? '',
  brokerUrl: process.env['AMQP_URL'] ?? '',
  namespace: process.env['BUS_NAMESPACE'] ?? '',
});
app.get(Effects).on('handled', (count) => {
  process.send?.({ count, at: performance.timeOrigin + performance.now() });
});
process.send?.('ready');
