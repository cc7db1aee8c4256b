import {
  AddressRates,
  clientNetwork,
  type HttpLimits,
  type OverLimitLog,
} from '@registrar/bootstrap';
import type { FastifyInstance } from 'fastify';

/** Refuses requests of addresses that have reached their limit, before anything else is known of them. */
export function limitAddresses(
  server: FastifyInstance,
  limits: HttpLimits,
  overLimit: OverLimitLog<'address'>,
): void {
  const rates = new AddressRates(limits);
  server.addHook('onRequest', (request, reply, done) => {
    const waitSeconds = rates.count(request.ip);
    if (waitSeconds === 0) {
      done();
      return;
    }
    const address = clientNetwork(request.ip);
    overLimit.record('address', `address ${address} has reached its limit: requests per second`);
    const message = 'This client sends too many requests. Try again later.';
    void reply.status(503).header('retry-after', String(waitSeconds)).send({ message });
  });
}
