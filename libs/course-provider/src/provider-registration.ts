import { type CrawlType, type ProviderRegistration } from '@registrar/contracts';
import * as z from 'zod';
import { providerDate } from './provider-date.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** A registration in version 2 of the provider's API. Only the ids are required. */
export const registrationResponse = z.object({
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
  /** Sent by the provider app alone. */
  hasOpenLaunch: z.boolean().nullish(),
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
export type RegistrationResponse = z.output<typeof registrationResponse>;

const completions: Record<string, ProviderRegistration['completion']> = {
  COMPLETED: 'complete',
  INCOMPLETE: 'incomplete',
};
const successes: Record<string, ProviderRegistration['success']> = {
  PASSED: 'succeeded',
  FAILED: 'failed',
};

/** Translates a registration of the provider's API into the contract's terms. */
export function toProviderRegistration(
  response: RegistrationResponse,
  crawlType: CrawlType,
): ProviderRegistration {
  const { course, learner, activityDetails } = response;
  const instance = response.instance ?? 0;
  return {
    registrationGuid: response.id,
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
    completion: completions[response.registrationCompletion ?? ''] ?? 'unknown',
    success: successes[response.registrationSuccess ?? ''] ?? 'unknown',
    score: response.score?.scaled ?? null,
    totalSeconds: response.totalSecondsTracked ?? 0,
    attempts: activityDetails?.attempts ?? instance + 1,
    createdAt: response.createdDate,
    updatedAt: response.updated,
    completedAt: response.completedDate,
    accessedAt: response.lastAccessDate,
    hasOpenLaunch: response.hasOpenLaunch ?? null,
    // The value was parsed from JSON, so it contains nothing else.
    activity:
      crawlType === 'full' ? ((activityDetails ?? null) as ProviderRegistration['activity']) : null,
  };
}
