import { Module } from '@nestjs/common';
import { CopyCourse } from './copy-course.ts';

@Module({ controllers: [CopyCourse] })
export class CoursesModule {}
