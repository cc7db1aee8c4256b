import * as z from 'zod';
import { flag } from '../http/parse.ts';
import type { ActivityParts } from './activity-record.ts';

/** The parameters that widen a registration's record. */
export const partsQuery = z.object({
  includeChildResults: flag.default(false),
  includeInteractionsAndObjectives: flag.default(false),
  includeRuntime: flag.default(false),
});

export const activityParts = (asked: z.output<typeof partsQuery>): ActivityParts => ({
  children: asked.includeChildResults,
  runtime: asked.includeRuntime,
  interactionsAndObjectives: asked.includeInteractionsAndObjectives,
});
