import type { Context, ListContract, RequestContract } from '@registrar/contracts';
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

  async send(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    this.#assertDeclared(contract);
    return this.client.send(contract, input);
  }

  #assertDeclared({ name, context }: RequestContract | ListContract): void {
    if (context === this.app || this.asks.includes(context)) return;
    throw new Error(
      `${this.app} asks ${context} for ${name} but does not declare it: add '${context}' to the app's asks.ts`,
    );
  }
}
