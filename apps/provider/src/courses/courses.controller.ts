import { Body, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/basic-auth.guard.ts';
import { type PageRequest, PageRequestPipe, sendPage } from '../http/paging.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { EditCourse, titleBody } from './edit-course.ts';
import { courseQuery, FindCourse, versionsQuery } from './find-course.ts';
import { courseListQuery, IndexCourses } from './index-courses.ts';

/** Courses in the API. */
@ApiController('courses')
export class CoursesController {
  constructor(
    private readonly indexCourses: IndexCourses,
    private readonly findCourse: FindCourse,
    private readonly editCourse: EditCourse,
  ) {}

  @Get()
  async index(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(new PageRequestPipe(courseListQuery))
    request: PageRequest<z.output<typeof courseListQuery>>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return sendPage(await this.indexCourses.index(application, request), reply);
  }

  @Get(':courseId')
  find(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @QueryParameters(new SchemaPipe(courseQuery)) query: z.output<typeof courseQuery>,
  ) {
    return this.findCourse.find(application, courseId, query);
  }

  @Get(':courseId/versions')
  listVersions(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @QueryParameters(new SchemaPipe(versionsQuery)) query: z.output<typeof versionsQuery>,
  ) {
    return this.findCourse.listVersions(application, courseId, query);
  }

  @Put(':courseId/title')
  @HttpCode(204)
  setTitle(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Body(new SchemaPipe(titleBody)) { title }: z.output<typeof titleBody>,
  ) {
    return this.editCourse.setTitle(application, courseId, title);
  }

  @Delete(':courseId')
  @HttpCode(204)
  delete(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
  ) {
    return this.editCourse.delete(application, courseId);
  }
}
