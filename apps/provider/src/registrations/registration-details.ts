import * as z from 'zod';
import { flag } from '../http/parse.ts';

/** The parameters that request the optional parts of a registration's record. */
export const detailsQuery = z.strictObject({
  /** The items below the course itself. */
  includeChildResults: flag.default(false),
  /** Part of the runtime. */
  includeInteractionsAndObjectives: flag.default(false),
  includeRuntime: flag.default(false),
});
export type RegistrationDetails = z.output<typeof detailsQuery>;
