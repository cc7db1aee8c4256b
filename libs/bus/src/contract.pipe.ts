import { Failure } from '@registrar/contracts';
import type { PipeTransform } from '@nestjs/common';
import type * as z from 'zod';

/** Parses the messages of a handler by the schema of their contract. */
export class ContractPipe implements PipeTransform {
  constructor(
    private readonly name: string,
    private readonly schema: z.ZodType,
  ) {}

  /** @throws {Failure} `invalid`; its message names the fields, without their values */
  transform(message: unknown): unknown {
    const parsed = this.schema.safeParse(message);
    if (parsed.success) return parsed.data;
    throw new Failure('invalid', `malformed ${this.name}: ${describeIssues(parsed.error)}`);
  }
}

/** Describes what is wrong by the names of fields, without their values. */
export const describeIssues = (error: {
  issues: { path: PropertyKey[]; code?: string }[];
}): string =>
  error.issues.map((issue) => `${issue.path.map(String).join('.')} (${issue.code})`).join(', ');
