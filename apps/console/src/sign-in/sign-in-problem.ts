/**
 * Why a sign-in failed. The browser is sent to `/sign-in?problem=PROBLEM&request=REQUEST-ID`, whose page says so.
 *
 * - `unavailable`: the identity provider does not answer, or not as one
 * - `expired`: the sign-in took too long, or was begun in another browser
 * - `refused`: the identity provider refused it, or the person cancelled it
 * - `no-role`: the person has no role here
 * - `no-provider`: no identity provider is set up
 */
export type SignInProblem = 'unavailable' | 'expired' | 'refused' | 'no-role' | 'no-provider';

/** A sign-in failed. The message is for the log. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';

  constructor(
    readonly problem: SignInProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
