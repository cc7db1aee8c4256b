import type { FastifyError } from 'fastify';

/** The reasons by the codes of Fastify's errors, whose messages would repeat the request. */
const reasons: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'the path is malformed: its percent escapes are not UTF-8',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'the Content-Type is malformed',
};

/** The reason for which Fastify rejected a request (contract/parameters#unreadable-body). */
export const rejectionReason = ({ code = '' }: Partial<FastifyError>): string =>
  reasons[code] ?? 'the request is malformed';
