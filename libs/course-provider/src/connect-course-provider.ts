import { type CourseProvider } from './course-provider.ts';
import { HttpCourseProvider } from './http-course-provider.ts';
import { ProviderHttp } from './provider-http.ts';

/** Where a provider application's course provider is, and how to be let in. */
export interface CourseProviderConnection {
  /**
   * The address of the provider's API, version 2. It may end before or at `/api/v2`, with or
   * without a slash: `https://host`, `https://host/some/prefix` and `https://host/api/v2/` will do.
   */
  readonly baseUrl: string;
  readonly appId: string;
  readonly secretKey: string;
}

/** Makes the port to a course provider. Nothing is sent before the first call. */
export function connectCourseProvider(connection: CourseProviderConnection): CourseProvider {
  const { baseUrl, appId, secretKey } = connection;
  return new HttpCourseProvider(new ProviderHttp(baseUrl, appId, secretKey));
}
