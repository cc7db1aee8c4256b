import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { createCourse, findCourse, indexCourses, updateCourse } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateCourse } from './create-course.ts';
import { FindCourse } from './find-course.ts';
import { IndexCourses } from './index-courses.ts';
import { UpdateCourse } from './update-course.ts';

/** What is asked of courses. */
@Controller()
export class CourseRequests {
  constructor(
    private readonly createUseCase: CreateCourse,
    private readonly findUseCase: FindCourse,
    private readonly indexUseCase: IndexCourses,
    private readonly updateUseCase: UpdateCourse,
  ) {}

  @HandleRequest(createCourse)
  create(input: InputOf<typeof createCourse>): Promise<ReplyOf<typeof createCourse>> {
    return this.createUseCase.run(input);
  }

  @HandleRequest(findCourse)
  find(input: InputOf<typeof findCourse>): Promise<ReplyOf<typeof findCourse>> {
    return this.findUseCase.run(input);
  }

  @HandleRequest(indexCourses)
  index(input: InputOf<typeof indexCourses>): Promise<ReplyOf<typeof indexCourses>> {
    return this.indexUseCase.run(input);
  }

  @HandleRequest(updateCourse)
  update(input: InputOf<typeof updateCourse>): Promise<ReplyOf<typeof updateCourse>> {
    return this.updateUseCase.run(input);
  }
}
