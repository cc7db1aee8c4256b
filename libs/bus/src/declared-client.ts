import type { Context, ListContract, RequestContract } from '@registrar/contracts';
import type * as z from 'zod';
import { BusClient } from './bus-client.ts';

/**
 * A client that rejects requests to contexts which its app does not declare. The permissions at the
 * broker are generated from the same declaration, so such a request would fail in production.
 * Requests to the app's own context are allowed.
 */
export class DeclaredClient extends BusClient {
  constructor(
    private readonly client: BusClient,
    private readonly app: string,
    private readonly asks: readonly Context[],
  ) {
    super();
  }

  async request<Input extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Input, Reply>,
    input: z.output<Input>,
  ): Promise<z.output<Reply>> {
    this.#assertDeclared(contract);
    return this.client.request(contract, input);
  }

  pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize?: number,
  ): AsyncIterable<z.output<Item>[]> {
    this.#assertDeclared(contract);
    return this.client.pages(contract, input, pageSize);
  }

  #assertDeclared({ name, context }: RequestContract | ListContract): void {
    if (context === this.app || this.asks.includes(context)) return;
    throw new Error(
      `${this.app} asks ${context} for ${name} but does not declare it: add '${context}' to the app's asks.ts`,
    );
  }
}
