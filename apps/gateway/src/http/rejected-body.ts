import type { FastifyRequest } from 'fastify';
import { bodyLimitBytes } from './limits.ts';

const acceptedTypes = 'application/x-www-form-urlencoded, multipart/form-data or application/json';

/** The reasons by the codes of Fastify's errors. Messages of parsers would repeat the body. */
const reasons: Readonly<Record<string, (contentType: string | undefined) => string>> = {
  FST_ERR_BAD_URL: () => 'the path is malformed: a % begins no valid escape',
  FST_ERR_CTP_BODY_TOO_LARGE: () => `the body is larger than ${bodyLimitBytes / 1024 / 1024} MiB`,
  FST_ERR_CTP_EMPTY_JSON_BODY: () => 'the body is empty, but its Content-Type is application/json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => 'the body is not as long as its Content-Length says',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (contentType) =>
    contentType === undefined
      ? `the body has no Content-Type: send ${acceptedTypes}`
      : `the Content-Type ${mediaType(contentType)} is not ${acceptedTypes}`,
};

/**
 * The reason for which Fastify rejected the URL or the body of a request
 * (contract/parameters#unreadable-body). Any other code is a body that claims to be JSON.
 */
export function rejectionReason(code: unknown, { headers }: FastifyRequest): string {
  const reason = typeof code === 'string' ? reasons[code] : undefined;
  return reason?.(headers['content-type']) ?? 'the body is not valid JSON';
}

const mediaType = (contentType: string) =>
  JSON.stringify(contentType.split(';', 1)[0]?.trim().slice(0, 60));
