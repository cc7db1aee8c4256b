/** A request that the edge itself turns away, with a status that no context knows. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    /** 406: no such format; 501: two access modes (api-v2.md, Errors). */
    readonly status: 406 | 501,
    reason: string,
  ) {
    super(reason);
  }
}
