import { type CrawlType, type ProviderRegistration } from '#libs/contracts';
import * as z from 'zod';
import { providerDate } from './provider-dates.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** A registration as version 2 of the provider's API writes it. Only the ids must be there. */
export const registrationAnswer = z.object({
  id: z.string().min(1).max(255),
  instance: z.int().nullish(),
  updated: providerDate,
  registrationCompletion: z.string().nullish(),
  registrationSuccess: z.string().nullish(),
  score: z.object({ scaled: z.number().nullish() }).nullish(),
  totalSecondsTracked: z.number().nullish(),
  lastAccessDate: providerDate,
  completedDate: providerDate,
  createdDate: providerDate,
  course: z.object({
    id: z.string().min(1).max(255),
    title: text,
    version: z.int().nullish(),
  }),
  learner: z
    .object({ id: text, email: z.string().nullish(), firstName: text, lastName: text })
    .nullish(),
  activityDetails: z.looseObject({ attempts: z.int().nullish() }).nullish(),
});
export type RegistrationAnswer = z.output<typeof registrationAnswer>;

const completionWords: Record<string, ProviderRegistration['completion']> = {
  COMPLETED: 'complete',
  INCOMPLETE: 'incomplete',
};
const successWords: Record<string, ProviderRegistration['success']> = {
  PASSED: 'succeeded',
  FAILED: 'failed',
};

/** A provider's result in our words. */
export function registrationResult(
  answer: RegistrationAnswer,
  crawlType: CrawlType,
): ProviderRegistration {
  const { course, learner, activityDetails } = answer;
  const instance = answer.instance ?? 0;
  return {
    registrationGuid: answer.id,
    courseGuid: course.id,
    courseTitle: course.title,
    courseVersion: course.version ?? 0,
    instance,
    learner: {
      id: learner?.id ?? '',
      email: learner?.email ?? null,
      firstName: learner?.firstName ?? '',
      lastName: learner?.lastName ?? '',
    },
    completion: completionWords[answer.registrationCompletion ?? ''] ?? 'unknown',
    success: successWords[answer.registrationSuccess ?? ''] ?? 'unknown',
    score: answer.score?.scaled ?? null,
    totalSeconds: answer.totalSecondsTracked ?? 0,
    attempts: activityDetails?.attempts ?? instance + 1,
    createdAt: answer.createdDate,
    updatedAt: answer.updated,
    completedAt: answer.completedDate,
    accessedAt: answer.lastAccessDate,
    // It came as JSON: nothing else can be in it.
    activity:
      crawlType === 'full' ? ((activityDetails ?? null) as ProviderRegistration['activity']) : null,
  };
}
