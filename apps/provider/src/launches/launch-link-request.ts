import { BadRequestException } from '@nestjs/common';
import * as z from 'zod';
import { bodyObject } from '../http/parse.ts';
import { type CourseStructure, launchablesOf } from '../packages/course-structure.ts';
import { maxExpirySeconds } from './launch-link.ts';

/** SCORM Cloud's values for no URL, after which the player shows a page of its own. */
const noRedirectUrl = z.enum(['', 'message', 'closer']).transform(() => null);

/** The body of requests for a launch link. */
export const launchLinkRequest = bodyObject({
  expiry: z.int().min(1).max(maxExpirySeconds).default(120),
  redirectOnExitUrl: z
    .union([noRedirectUrl, z.url({ protocol: /^https?$/ }).max(2048)], {
      error: 'not an http or https address',
    })
    .default(null),
  tracking: z.boolean().default(true),
  /** The id of the activity to open first. Empty, as generated clients may send it: where the learner left. */
  startSco: z
    .string()
    .max(4096)
    .transform((id) => id || null)
    .default(null),
});
export type LaunchLinkRequest = z.output<typeof launchLinkRequest>;

/** @throws {BadRequestException} if the course has no such activity that can be launched */
export function assertLaunchable({ root }: CourseStructure, activityId: string): void {
  if (launchablesOf(root).some(({ id }) => id === activityId)) return;
  throw new BadRequestException('startSco: the course has no such part');
}
