import { Module } from '@nestjs/common';
import { CopyCourse } from './copy-course.ts';

@Module({ providers: [CopyCourse] })
export class CoursesModule {}
