import { BadRequestException } from '@nestjs/common';
import * as z from 'zod';
import { bodyObject } from '../http/parse.ts';
import { type CourseStructure, launchablesOf } from '../packages/course-structure.ts';
import { maxExpirySeconds, maxWindowSeconds } from './launch-link.ts';

/** SCORM Cloud's values for no URL, after which the player shows a page of its own. */
const noRedirectUrl = z.enum(['', 'message', 'closer']).transform(() => null);

/** What requests from the course window must show beside the token in its URL. */
const launchAuth = bodyObject({
  /** `cookies`: a cookie, which the first browser gets that opens the window; `vault`: nothing. */
  type: z.enum(['cookies', 'vault'], { error: 'is not one of cookies, vault' }).default('cookies'),
  options: bodyObject({
    /** Whether they must come from the address that followed the link. */
    ipAddress: z.boolean().default(false),
    fingerprint: z.literal(false, { error: 'is not supported' }).optional(),
    /** How long the window can be used: seconds. */
    expiry: z.int().min(1).max(maxWindowSeconds).default(maxWindowSeconds),
  }).prefault({}),
}).transform(({ type, options: { ipAddress, expiry } }) => ({
  needsCookie: type === 'cookies',
  bindsAddress: ipAddress,
  windowSeconds: expiry,
}));

/** Whether a text is empty or a language tag (RFC 5646). */
const isLanguageTag = (text: string) => /^(?:[a-z]{2,8}(?:-[a-z\d]{1,8})*)?$/i.test(text);

/** Its origin becomes a part of the content security policy, in which characters such as `;` separate. */
const styleSheetUrl = z
  .url({ protocol: /^https$/, hostname: /^[a-z\d.-]+$/ })
  .max(2048)
  .refine((url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === '');

/** The body of requests for a launch link. */
export const launchLinkRequest = bodyObject({
  expiry: z.int().min(1).max(maxExpirySeconds).default(120),
  redirectOnExitUrl: z
    .union([noRedirectUrl, z.url({ protocol: /^https?$/ }).max(2048)], {
      error: 'not an http or https address',
    })
    .default(null),
  tracking: z.boolean().default(true),
  launchAuth: launchAuth.prefault({ type: 'vault' }),
  /**
   * The identifier of the item to open first, or of its resource. Empty, as generated clients may send it: where the
   * learner left.
   */
  startSco: z
    .string()
    .max(4096)
    .transform((id) => id || null)
    .default(null),
  /** The language of the player. Empty: that of the browser. */
  culture: z
    .string()
    .max(35)
    .refine(isLanguageTag, { error: 'not a language tag such as de or pt-BR' })
    .transform((tag) => tag || null)
    .default(null),
  /** A style sheet for the player's page. */
  cssUrl: z
    .union([z.literal('').transform(() => null), styleSheetUrl], {
      error: 'not an https address with a plain host and without credentials',
    })
    .default(null),
});
export type LaunchLinkRequest = z.output<typeof launchLinkRequest>;

/**
 * Returns the id of the activity that `startSco` names: by the identifier of its item, or else of its resource.
 *
 * @throws {BadRequestException} if the course has no such activity that can be launched
 */
export function startActivityOf({ root }: CourseStructure, startSco: string): string {
  const parts = launchablesOf(root);
  const named =
    parts.find(({ id }) => id === startSco) ??
    parts.find(({ resource }) => resource.id === startSco);
  if (named) return named.id;
  throw new BadRequestException('startSco: the course has no such part');
}
