/** An error that only the gateway raises, with a status that no failure code stands for. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    /**
     * 405: HEAD on a path that writes; 406: unknown format; 408: the body did not arrive in time;
     * 501: two access modes (contract/errors#statuses).
     */
    readonly status: 405 | 406 | 408 | 501,
    reason: string,
    /** The name of the parameter at fault. */
    readonly parameter?: string,
  ) {
    super(reason);
  }
}
