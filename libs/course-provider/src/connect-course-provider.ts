import { type CallLimit } from './call-limits.ts';
import { type CourseProvider, HttpCourseProvider } from './http-course-provider.ts';
import { ProviderHttpClient } from './provider-http-client.ts';

/** Address and credentials of one provider application, which is an account at a course provider. */
export interface CourseProviderConnection {
  /**
   * Address of the provider's HTTP API, version 2. Required.
   *
   * The path may end before or at `/api/v2`, with or without a trailing slash:
   * `https://host`, `https://host/prefix` and `https://host/api/v2/` are all valid. Credentials,
   * query and fragment in the address are ignored. A redirect is not followed: it fails the call
   * as `unavailable`.
   */
  readonly baseUrl: string;
  /** Id of the application, sent as the user name of HTTP Basic authentication. Required. */
  readonly appId: string;
  /**
   * Secret key of the application, sent as the password of HTTP Basic authentication. Required.
   *
   * A wrong key fails every call as `unauthorized`. The key appears in no error and no trace.
   */
  readonly secretKey: string;
}

/**
 * Returns a client of a course provider. It sends nothing before the first call and holds no
 * resources that need closing.
 *
 * @param limit limits its calls; absent: none
 * @throws {TypeError} when `baseUrl` is not a URL
 */
export function connectCourseProvider(
  connection: CourseProviderConnection,
  limit: CallLimit | null = null,
): CourseProvider {
  return new HttpCourseProvider(new ProviderHttpClient(connection, limit));
}
