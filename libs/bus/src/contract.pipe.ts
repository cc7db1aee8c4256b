import { type EventContract, Failure } from '@registrar/contracts';
import type { PipeTransform } from '@nestjs/common';
import * as z from 'zod';
import type { ArrivedEvents } from './arrived-events.ts';

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

/** Checks the payloads of events that are handled together. */
export class EventsPipe implements PipeTransform<ArrivedEvents, ArrivedEvents> {
  readonly #payloads: ContractPipe;

  constructor({ name, payload }: EventContract) {
    this.#payloads = new ContractPipe(name, z.array(payload));
  }

  /** @throws {Failure} as {@link ContractPipe} does */
  transform(arrived: ArrivedEvents): ArrivedEvents {
    this.#payloads.transform(arrived.payloads);
    return arrived;
  }
}

/** Describes what is wrong by the names of fields, without their values. */
export const describeIssues = (error: {
  issues: { path: PropertyKey[]; code?: string }[];
}): string =>
  error.issues.map((issue) => `${issue.path.map(String).join('.')} (${issue.code})`).join(', ');
