import { Body, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Application } from '../applications/application.ts';
import { ApiController } from '../http/api-controller.ts';
import { Caller } from '../http/basic-auth.ts';
import { ChangeCourse } from './change-course.ts';
import { FindCourse } from './find-course.ts';
import { ImportJobs } from './import-jobs.ts';
import { IndexCourses } from './index-courses.ts';
import { UploadPackage } from './upload-package.ts';

/** Courses in the API: import, index, read, change, delete. */
@ApiController('courses')
export class CoursesController {
  constructor(
    private readonly uploadPackage: UploadPackage,
    private readonly importJobs: ImportJobs,
    private readonly indexCourses: IndexCourses,
    private readonly findCourse: FindCourse,
    private readonly changeCourse: ChangeCourse,
  ) {}

  @Post('importJobs/upload')
  @HttpCode(200)
  async upload(@Caller() application: Application, @Req() request: FastifyRequest) {
    return { result: await this.uploadPackage.run(application, request) };
  }

  @Get('importJobs/:jobId')
  importJob(@Caller() application: Application, @Param('jobId') jobId: string) {
    return this.importJobs.find(application, jobId);
  }

  @Get()
  index(@Caller() application: Application, @Query() query: unknown) {
    return this.indexCourses.run(application, query);
  }

  @Get(':courseId')
  find(
    @Caller() application: Application,
    @Param('courseId') courseId: string,
    @Query() query: unknown,
  ) {
    return this.findCourse.newest(application, courseId, query);
  }

  @Get(':courseId/versions')
  versions(
    @Caller() application: Application,
    @Param('courseId') courseId: string,
    @Query() query: unknown,
  ) {
    return this.findCourse.versions(application, courseId, query);
  }

  @Put(':courseId/title')
  @HttpCode(204)
  setTitle(
    @Caller() application: Application,
    @Param('courseId') courseId: string,
    @Body() body: unknown,
  ) {
    return this.changeCourse.setTitle(application, courseId, body);
  }

  @Delete(':courseId')
  @HttpCode(204)
  delete(@Caller() application: Application, @Param('courseId') courseId: string) {
    return this.changeCourse.delete(application, courseId);
  }
}
