import { type CourseVersion, type ProviderCourse } from '@registrar/contracts';
import * as z from 'zod';
import { providerDate } from './provider-date.ts';

/** The most warnings of one import that are kept, and the most characters of each. */
const keptWarnings = { number: 30, length: 500 };

/** Warnings of an import, as much of them as is kept. */
export const parserWarnings = z
  .array(z.string())
  .nullish()
  .transform((warnings) => warnings?.slice(0, keptWarnings.number).map(toWarning) ?? null);

const toWarning = (text: string) =>
  text.slice(0, keptWarnings.length).replaceAll('\0', '').toWellFormed();

/** A course in version 2 of the provider's API. Only the id is required. */
export const courseResponse = z.object({
  id: z.string().min(1).max(255),
  title: z.string().nullish(),
  version: z.int().nullish(),
  /** Size of the package in bytes; the hosted provider does not send it. */
  size: z.int().nullish(),
  courseLearningStandard: z.string().nullish(),
  registrationCount: z.int().nullish(),
  metadata: z
    .object({
      title: z.string().nullish(),
      description: z.string().nullish(),
      duration: z.string().nullish(),
      typicalTime: z.string().nullish(),
      keywords: z.array(z.string()).nullish(),
    })
    .nullish(),
  /** Of our own provider. The hosted one sends them in import jobs only. */
  parserWarnings,
  created: providerDate,
  updated: providerDate,
});

/** Translates a version of a course of the provider's API into the contract's terms. */
export const toCourseVersion = (response: z.output<typeof courseResponse>): CourseVersion => ({
  version: response.version ?? 0,
  title: response.title ?? '',
  created_at: response.created,
  registrations: response.registrationCount ?? null,
});

/** Translates a course of the provider's API into the contract's terms. */
export function toProviderCourse(response: z.output<typeof courseResponse>): ProviderCourse {
  const { metadata } = response;
  return {
    courseGuid: response.id,
    title: response.title ?? '',
    version: response.version ?? 0,
    size: response.size ?? 0,
    learningStandard: response.courseLearningStandard ?? null,
    metadata: {
      title: metadata?.title ?? '',
      description: metadata?.description ?? '',
      duration: metadata?.duration ?? '',
      typicaltime: metadata?.typicalTime ?? '',
      keywords: metadata?.keywords ?? [],
    },
    warnings: response.parserWarnings,
    createdAt: response.created,
    updatedAt: response.updated,
  };
}
