import { Body, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import type * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/basic-auth.guard.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { tagListBody } from '../http/tag-list.ts';
import { EditTags, taggedCourses, taggedRegistrations } from './edit-tags.ts';

type TagList = z.output<typeof tagListBody>;

/** The tags of something in the API. */
abstract class TagsController {
  protected abstract readonly tagged: typeof taggedCourses;

  constructor(private readonly editTags: EditTags) {}

  @Get()
  async list(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
  ): Promise<TagList> {
    return { tags: await this.editTags.list(application, this.tagged, id) };
  }

  @Put()
  @HttpCode(204)
  add(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @Body(new SchemaPipe(tagListBody)) { tags }: TagList,
  ): Promise<void> {
    return this.editTags.add(application, this.tagged, id, tags);
  }

  @Delete()
  @HttpCode(204)
  remove(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @Body(new SchemaPipe(tagListBody)) { tags }: TagList,
  ): Promise<void> {
    return this.editTags.remove(application, this.tagged, id, tags);
  }
}

@ApiController('courses/:id/tags')
export class CourseTagsController extends TagsController {
  protected readonly tagged = taggedCourses;
  constructor(editTags: EditTags) {
    super(editTags);
  }
}

@ApiController('registrations/:id/tags')
export class RegistrationTagsController extends TagsController {
  protected readonly tagged = taggedRegistrations;
  constructor(editTags: EditTags) {
    super(editTags);
  }
}
