import { BusClient, type BusTransport } from '#libs/bus';
import { Failure, type ListContract, type RequestContract } from '#libs/contracts';
import type * as z from 'zod';
import { type CallPoints } from './call-points.ts';

/** A bus on which every request of the apps that join it is a point where something can go wrong. */
export const struckTransport = (bus: BusTransport, points: CallPoints): BusTransport => ({
  join: (app) => {
    const endpoint = bus.join(app);
    const client = new StruckClient(endpoint.client, points);
    return Object.create(endpoint, { client: { value: client } }) as typeof endpoint;
  },
});

class StruckClient extends BusClient {
  constructor(
    private readonly client: BusClient,
    private readonly points: CallPoints,
  ) {
    super();
  }

  async request<Input extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Input, Reply>,
    input: z.output<Input>,
  ): Promise<z.output<Reply>> {
    const fault = this.points.next(contract.name);
    if (fault === 'not sent') throw new Failure('unavailable', 'the request was not sent');
    const reply = await this.client.request(contract, input);
    if (fault === 'not answered') throw new Failure('unavailable', 'the answer was lost');
    return reply;
  }

  pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize?: number,
  ): AsyncIterable<z.output<Item>[]> {
    return this.client.pages(contract, input, pageSize);
  }
}
