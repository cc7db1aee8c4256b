import type { Context } from '@registrar/contracts';

/** The contexts that this app sends requests to. Its permissions at the broker follow from it. */
export const asks: readonly Context[] = ['identity', 'catalog', 'enrolment', 'crawler'];
