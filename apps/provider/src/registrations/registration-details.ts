import * as z from 'zod';
import { flag } from '../http/parse.ts';

/** The optional parts of a registration's record. */
export interface RegistrationDetails {
  /** The items below the course itself. */
  readonly children: boolean;
  readonly runtime: boolean;
  /** Part of the runtime. */
  readonly interactionsAndObjectives: boolean;
}

/** The parameters that request the optional parts. */
export const detailsQuery = z.strictObject({
  includeChildResults: flag.default(false),
  includeInteractionsAndObjectives: flag.default(false),
  includeRuntime: flag.default(false),
});

export const toRegistrationDetails = (
  query: z.output<typeof detailsQuery>,
): RegistrationDetails => ({
  children: query.includeChildResults,
  runtime: query.includeRuntime,
  interactionsAndObjectives: query.includeInteractionsAndObjectives,
});
