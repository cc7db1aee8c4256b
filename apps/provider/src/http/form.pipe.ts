import { BadRequestException, type PipeTransform } from '@nestjs/common';
import type * as z from 'zod';
import { parse } from './parse.ts';

/** Parses a body in `application/x-www-form-urlencoded` with a schema. */
export class FormPipe<Schema extends z.ZodType> implements PipeTransform {
  constructor(private readonly schema: Schema) {}

  transform(given: unknown): z.output<Schema> {
    if (!(given instanceof URLSearchParams)) {
      throw new BadRequestException('Send the parameters as application/x-www-form-urlencoded.');
    }
    const fields = Object.fromEntries(given);
    if (Object.keys(fields).length < given.size) {
      throw new BadRequestException('A parameter is given more than once.');
    }
    return parse(this.schema, fields);
  }
}
