import { ShedRequest } from '../http/shed-request.ts';

/** What a client has too much of: a label of `registrar_http_over_limit_total`, and its text in the log. */
export const limitTexts = {
  address: 'requests per second',
  realm: 'requests per second',
  key: 'requests per second',
  'in-hand': 'requests that are worked on or wait',
} as const;
export type LimitName = keyof typeof limitTexts;
export const limitNames = Object.keys(limitTexts) as LimitName[];

/** A request beyond a limit of its own address, realm or key. */
export class LimitReached extends ShedRequest {
  constructor(
    readonly limit: LimitName,
    message: string,
    retryAfterSeconds: number,
  ) {
    super('over-limit', message, retryAfterSeconds);
  }
}
