import { BusClient, type BusTransport } from '@registrar/bus';
import { Failure, type ListContract, type RequestContract } from '@registrar/contracts';
import { type FaultPoints } from './fault-points.ts';

/** Wraps a bus so that every request of its apps is a fault point. */
export const faultyTransport = (bus: BusTransport, points: FaultPoints): BusTransport => ({
  join: (app) => {
    const endpoint = bus.join(app);
    const client = new FaultyClient(endpoint.client, points);
    return Object.create(endpoint, { client: { value: client } }) as typeof endpoint;
  },
});

class FaultyClient extends BusClient {
  constructor(
    private readonly client: BusClient,
    private readonly points: FaultPoints,
  ) {
    super();
  }

  /** The pages of lists are no fault points. */
  async exchange(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    if (contract.kind === 'list') return this.client.exchange(contract, input);
    const fault = this.points.next(contract.name);
    if (fault === 'not sent') throw new Failure('unavailable', 'the request was not sent');
    const reply = await this.client.exchange(contract, input);
    if (fault === 'not answered') throw new Failure('unavailable', 'the reply was lost');
    return reply;
  }
}
