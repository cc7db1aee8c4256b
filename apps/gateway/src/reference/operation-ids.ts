import type { Method, Operation } from '../operations/operation.ts';

type Route = Operation['routes'][number];

/** A route of an operation, as the document names it. */
export interface NamedRoute {
  readonly route: Route;
  /** The name of the route in the document: `registrations.launchUrl`. */
  readonly id: string;
  /** The name of the route that does the same, if this one is for existing clients alone. */
  readonly aliasOf: string | null;
}

/** The names of operations that do not follow from their names in the contract. */
const ids: Readonly<Record<string, string>> = {
  initialize: 'storedQueries.initialize',
  run: 'storedQueries.run',
  'stored_query run': 'storedQueries.runFormer',
  'stored_query delete': 'storedQueries.delete',
  'util reportage_urls': 'util.reportageUrls',
};

/** Operations that do what another one does, under a path of earlier versions. */
const formerPaths: Readonly<Record<string, string>> = { 'stored_query run': 'storedQueries.run' };

const actions: Readonly<Record<string, string>> = {
  index: 'list',
  show: 'get',
  gcustom: 'mergeCustom',
};

const camelCase = (words: string) =>
  words.replace(/_(\w)/g, (_, letter: string) => capital(letter));
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The name of an operation: `realmUsers.list` for `realm_user index`. */
function idOf({ name }: Operation): string {
  const [resource = '', action = ''] = name.split(' ');
  return ids[name] ?? `${camelCase(resource)}s.${actions[action] ?? camelCase(action)}`;
}

const namesItem = ({ path }: Route) => path.includes(':');
const methodWord = (method: Method) => capital(method.toLowerCase());

/**
 * Names the routes of an operation. Of those that do the same, the first whose method fits the
 * effect has the operation's name, and all others are its aliases (contract/formats#operation-aliases).
 */
export function nameRoutes(operation: Operation): NamedRoute[] {
  const { routes, namedBy, name } = operation;
  const id = idOf(operation);
  const hasBoth = new Set(routes.map(namesItem)).size > 1;
  const suffixOf = (route: Route) => {
    if (!hasBoth || namesItem(route)) return '';
    return namedBy ? `By${capital(namedBy)}` : 'Own';
  };
  return routes.map((route) => {
    const same = routes.filter((each) => namesItem(each) === namesItem(route));
    const main = same.find(({ method }) => method !== 'GET') ?? same[0];
    const named = id + suffixOf(route);
    if (route === main) return { route, id: named, aliasOf: formerPaths[name] ?? null };
    const [word] = /\bg(create|update)\b/.exec(route.path) ?? [];
    const [resource] = id.split('.');
    const alias = word ? `${resource}.${word}${suffixOf(route)}` : named + methodWord(route.method);
    return { route, id: alias, aliasOf: named };
  });
}

/** Whether an operation is for existing clients alone: one that calls it needs nothing that it returns. */
export const isForExistingClients = ({ name }: Operation): boolean =>
  name === 'util reportage_urls';
