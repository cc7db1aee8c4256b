import type { PipeTransform } from '@nestjs/common';
import type * as z from 'zod';
import { parse } from './parse.ts';

/** Parses a body or the parameters of a query with a schema. */
export class SchemaPipe<Schema extends z.ZodType> implements PipeTransform {
  constructor(private readonly schema: Schema) {}

  transform(given: unknown): z.output<Schema> {
    return parse(this.schema, given);
  }
}
