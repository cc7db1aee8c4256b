import { defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { defineOperation, type Operation } from '../operations/operation.ts';

/** Operations that only existing clients call. */
export const utilOperations: readonly Operation[] = [
  // contract/formats#reportage-urls
  defineOperation({
    name: 'util reportage_urls',
    summary: 'Returns an empty object, for existing clients: there is no external reporting tool.',
    routes: [{ method: 'GET', path: '/util/reportage_urls' }],
    record: defineRecord('reportage-urls', 'reportage-urls', z.object({})),
    execute: () => Promise.resolve({ record: {} }),
  }),
];
