/** Limits the calls of provider applications. See {@link CourseProviderDirectory}. */
export interface CallLimits {
  /**
   * Called before each call is sent, and before it is sent again.
   *
   * @param attempt 1, and one more for each repetition
   * @throws {Failure} when the call must not be sent
   */
  beforeCall(applicationId: number, attempt: number): Promise<void>;

  /**
   * Called when the provider has refused a call because there were too many.
   *
   * @param retryAfter seconds; null when the provider sent none
   */
  afterThrottling(applicationId: number, retryAfter: number | null): void;
}

/** The limits of one provider application. */
export interface CallLimit {
  beforeCall(attempt: number): Promise<void>;
  afterThrottling(retryAfter: number | null): void;
}
