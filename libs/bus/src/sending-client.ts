import type { ListContract, Page, RequestContract } from '@registrar/contracts';
import type * as z from 'zod';
import { BusClient, defaultPageSize } from './bus-client.ts';
import { readPages } from './read-pages.ts';

/** A client whose transport sends one request at a time with `send`, which resolves with its reply. */
export class SendingClient extends BusClient {
  constructor(
    private readonly send: (
      contract: RequestContract | ListContract,
      input: unknown,
    ) => Promise<unknown>,
  ) {
    super();
  }

  async request<Input extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Input, Reply>,
    input: z.output<Input>,
  ): Promise<z.output<Reply>> {
    return (await this.send(contract, input)) as z.output<Reply>;
  }

  pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize = defaultPageSize,
  ): AsyncIterable<z.output<Item>[]> {
    return readPages(
      async (pageRequest) =>
        (await this.send(contract, { ...input, ...pageRequest })) as Page<z.output<Item>>,
      pageSize,
    );
  }
}
