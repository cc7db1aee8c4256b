import { BadRequestException } from '@nestjs/common';
import { parse as parsePath } from 'node:path';
import * as z from 'zod';
import { bodyObject, parse } from '../http/parse.ts';
import { type Media, mediaTypes } from '../packages/media-file.ts';

const zip = 'application/zip';
const types = [zip, ...Object.keys(mediaTypes)] as [typeof zip, ...Media['type'][]];

/** What a file is that is to be imported; a package by default. */
export const contentType = z
  .string()
  .toLowerCase()
  // Sent by scormcloud-client.
  .transform((type) => (type === 'audo/mpeg' ? 'audio/mpeg' : type))
  .pipe(z.enum(types, { error: `is not one of ${types.join(', ')}` }))
  .default(zip);

/** Without halves of surrogate pairs, which PostgreSQL does not store in JSON. */
const text = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'contains control characters or broken ones' });

/** What an application says of a media file. */
export const mediaMetadata = bodyObject({
  title: text.min(1).max(1000).optional(),
  description: text.max(10_000).optional(),
});

const serializedMetadata = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .pipe(mediaMetadata);

/** The parts of an upload that say what it is. */
const uploadedMedia = z.object({
  uploadedContentType: contentType,
  contentMetadata: serializedMetadata.optional(),
});

/** Returns the media file of an upload; null if it is a package. @throws {BadRequestException} */
export function mediaOfUpload(
  uploadedContentType: unknown,
  contentMetadata: string | undefined,
  fileName: string,
): Media | null {
  const parts = parse(uploadedMedia, { uploadedContentType, contentMetadata });
  return mediaOf(parts.uploadedContentType, parts.contentMetadata, fileName, 'contentMetadata');
}

/**
 * Returns a media file; null if it is a package. Without a title it has that of its file.
 *
 * @param field the name of the metadata in the request
 * @throws {BadRequestException} if there are metadata of a package
 */
export function mediaOf(
  type: z.output<typeof contentType>,
  metadata: z.output<typeof mediaMetadata> | undefined,
  fileName: string,
  field: string,
): Media | null {
  if (type === zip) {
    if (!metadata) return null;
    throw new BadRequestException(`${field}: a package has metadata of its own`);
  }
  const title =
    metadata?.title ??
    parsePath(fileName)
      .name.slice(0, 1000)
      .replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
  return { type, title: title || mediaTypes[type].path, description: metadata?.description ?? '' };
}
