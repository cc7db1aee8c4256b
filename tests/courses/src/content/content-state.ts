import * as z from 'zod';

/** What content found when it started: its variable `resumed`. */
export const resumedState = z.object({
  entry: z.string(),
  location: z.string(),
  suspendData: z.string(),
});
export type ResumedState = z.output<typeof resumedState>;

/** What content has stored once it is left: its variable `kept`. */
export const keptState = resumedState.omit({ entry: true });
export type KeptState = z.output<typeof keptState>;

/** Describes what came back of what content had stored, as the table shows it. */
export function describeResumed({ entry, ...data }: ResumedState, kept: KeptState): string {
  const isBack = data.location === kept.location && data.suspendData === kept.suspendData;
  const isEmpty = data.location === '' && data.suspendData === '';
  const words = isBack && !isEmpty ? 'data back' : isEmpty ? 'no data' : 'other data';
  return entry === 'resume' && words === 'data back' ? 'back' : `entry "${entry}", ${words}`;
}
