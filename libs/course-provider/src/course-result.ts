import { type ProviderCourse } from '#libs/contracts';
import * as z from 'zod';
import { providerDate } from './provider-dates.ts';

/** A course as version 2 of the provider's API writes it. Only its id must be there. */
export const courseAnswer = z.object({
  id: z.string().min(1).max(255),
  title: z.string().nullish(),
  version: z.int().nullish(),
  /** The package's bytes: the hosted provider does not tell them, ours does. */
  size: z.int().nullish(),
  registrationCount: z.int().nullish(),
  courseLearningStandard: z.string().nullish(),
  metadata: z
    .object({
      title: z.string().nullish(),
      description: z.string().nullish(),
      duration: z.string().nullish(),
      typicalTime: z.string().nullish(),
      keywords: z.array(z.string()).nullish(),
    })
    .nullish(),
  created: providerDate,
  updated: providerDate,
});

/** A provider's course in our words. */
export function courseResult(answer: z.output<typeof courseAnswer>): ProviderCourse {
  const { metadata } = answer;
  return {
    courseGuid: answer.id,
    title: answer.title ?? '',
    version: answer.version ?? 0,
    size: answer.size ?? 0,
    registrationCount: answer.registrationCount ?? 0,
    learningStandard: answer.courseLearningStandard ?? null,
    metadata: {
      title: metadata?.title ?? '',
      description: metadata?.description ?? '',
      duration: metadata?.duration ?? '',
      typicaltime: metadata?.typicalTime ?? '',
      keywords: metadata?.keywords ?? [],
    },
    createdAt: answer.created,
    updatedAt: answer.updated,
  };
}
