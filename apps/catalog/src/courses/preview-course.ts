import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { previewCourse } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { FindAtProvider } from './find-at-provider.ts';
import { throwCourseFailure } from './provider-failure.ts';

/** How long a link is valid, as long as that of a launch: seconds. */
const linkExpirySeconds = 120;

/** Creates links that open a course for reading. */
@Controller()
export class PreviewCourse {
  constructor(private readonly atProvider: FindAtProvider) {}

  /** @throws {Failure} as of the contract */
  @HandleRequest(previewCourse)
  async preview({
    scope,
    courseGuid,
  }: InputOf<typeof previewCourse>): Promise<ReplyOf<typeof previewCourse>> {
    const { provider } = await this.atProvider.find(scope, courseGuid);
    const link = provider.createPreviewLink(courseGuid, linkExpirySeconds);
    return { url: await link.catch(throwCourseFailure) };
  }
}
