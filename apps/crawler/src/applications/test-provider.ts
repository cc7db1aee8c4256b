import { BusClient, HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, findProviderCredentials, testProvider } from '@registrar/contracts';
import {
  connectCourseProvider,
  type CourseProvider,
  CourseProviderDirectory,
  probeProvider,
} from '@registrar/course-provider';
import { Controller } from '@nestjs/common';

/**
 * Tries the credentials of a provider application for a user of the console. The call is not taken from the limit, so that
 * a test shows why an application backs off; a replica makes one at a time for each application.
 */
@Controller()
export class TestProvider {
  readonly #running = new Set<number>();

  constructor(
    private readonly bus: BusClient,
    private readonly directory: CourseProviderDirectory,
  ) {}

  /** @throws {Failure} `not-found`; `over-limit` while another test of the application runs */
  @HandleRequest(testProvider)
  async test({
    application,
    secretKey,
  }: InputOf<typeof testProvider>): Promise<ReplyOf<typeof testProvider>> {
    if (this.#running.has(application)) {
      throw new Failure('over-limit', 'another test of the application is running');
    }
    this.#running.add(application);
    try {
      return (await probeProvider(await this.connect(application, secretKey))).probed;
    } finally {
      this.#running.delete(application);
    }
  }

  private async connect(
    applicationId: number,
    secretKey: string | null,
  ): Promise<Pick<CourseProvider, 'ping'>> {
    if (secretKey === null) return this.directory.forApplication(applicationId);
    const { baseUrl, appId } = await this.bus.request(findProviderCredentials, { applicationId });
    return connectCourseProvider({ baseUrl, appId, secretKey });
  }
}
