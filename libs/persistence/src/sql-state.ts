import { QueryFailedError } from 'typeorm';

export const queryCanceled = '57014';
export const uniqueViolation = '23505';

/** PostgreSQL's error code of a failed query (PostgreSQL manual, Appendix A), if it is one. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof QueryFailedError
    ? (error.driverError as { code?: string }).code
    : undefined;
}
