import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { EditCourseTags } from '../tags/edit-tags.ts';
import { TagCourses } from '../tags/tag-many.ts';
import { EditCourse } from './edit-course.ts';
import { FindCourse } from './find-course.ts';
import { IndexCourses } from './index-courses.ts';

/** Courses and their versions in the API. */
@Module({
  imports: [ApplicationsModule],
  controllers: [EditCourse, EditCourseTags, FindCourse, IndexCourses, TagCourses],
})
export class CoursesModule {}
