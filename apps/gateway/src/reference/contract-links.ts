import type { Operation } from '../operations/operation.ts';

/** The path at which the gateway serves the guides, docs/ of the repository. */
export const guidesPath = '/docs/guides';

/** The contract's page of each resource, where its name is no plural. */
const pages: Readonly<Record<string, string>> = {
  initialize: 'stored-queries',
  run: 'stored-queries',
  stored_query: 'stored-queries',
};

/** The anchors of operations whose sections have other names. */
const anchors: Readonly<Record<string, string>> = {
  initialize: 'initialize',
  run: 'run',
  'registration launch_url': 'launch',
  'stored_query run': 'former-run',
};

/** Where the contract describes an operation: `registrations#create`. */
export function contractRule({ name }: Operation): string {
  // contract/formats#reportage-urls
  if (name === 'util reportage_urls') return 'formats#reportage-urls';
  const [resource = '', action = ''] = name.split(' ');
  const page = pages[resource] ?? `${resource.replace('_', '-')}s`;
  return `${page}#${anchors[name] ?? action.replace('_', '-')}`;
}

/** The address of a rule of the contract, such as `access#modes`, on the gateway. */
export function contractLink(rule: string): string {
  const [page, anchor] = rule.split('#');
  return `${guidesPath}/contract/${page}.md#${anchor}`;
}
