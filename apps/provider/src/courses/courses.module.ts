import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { Course } from './course.entity.ts';
import { EditCourse } from './edit-course.ts';
import { FindCourse } from './find-course.ts';
import { IndexCourses } from './index-courses.ts';

/** Courses and their versions in the API. */
@Module({
  imports: [ApplicationsModule, TypeOrmModule.forFeature([Course])],
  controllers: [EditCourse, FindCourse, IndexCourses],
  exports: [TypeOrmModule],
})
export class CoursesModule {}
