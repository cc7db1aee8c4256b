import type { ListContract, RequestContract } from '@registrar/contracts';
import { BusClient } from './bus-client.ts';

/** A client whose transport sends one request at a time with `send`, which resolves with its reply. */
export class SendingClient extends BusClient {
  constructor(
    override readonly send: (
      contract: RequestContract | ListContract,
      input: unknown,
    ) => Promise<unknown>,
  ) {
    super();
  }
}
