import type { Page } from '@registrar/contracts';
import type { Row } from '@registrar/formats';
import type { OperationResult } from './operation.ts';
import { singlePage } from './single-page.ts';

/**
 * Lists by a GUID that two parameters can give: `id` and the resource's own name for it. Filters
 * combine with AND, so two different values match nothing (contract/parameters#id-and-guid).
 */
export function mergeGuidAliases(
  id: string | undefined,
  guid: string | undefined,
  listPages: (guid: string | undefined) => AsyncIterable<Page<Row>>,
): OperationResult {
  const differ = id !== undefined && guid !== undefined && id !== guid;
  return { pages: differ ? singlePage([]) : listPages(guid ?? id) };
}
