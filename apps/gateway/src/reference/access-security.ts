import { accessModes } from '../access/access-mode.ts';
import type { Operation } from '../operations/operation.ts';
import { contractLink } from './contract-links.ts';
import type { JsonSchema } from './record-schema.ts';

type Security = readonly JsonSchema[];

const link = (rule: string) => `([contract](${contractLink(`access#${rule}`)}))`;

const descriptions: Readonly<Record<string, string>> = {
  api_key: `**API key: begin here.** The \`access_token\` that \`POST /api_key.json\` returned for a realm pair. \`npm start\` prints a command that creates one. A key that is bound to a user is safe in a browser; all others belong on a server ${link('api-key')}.`,
  realm_guid: `**Realm pair, first part.** The operator hands the pair out. It creates API keys, and belongs on a server ${link('realm-pair')}.`,
  realm_secret_key: '**Realm pair, second part.**',
  sc_app_id: `**Provider application pair, first part.** Deprecated: it may be removed in a later version ${link('provider-pair')}.`,
  sc_secret_key: '**Provider application pair, second part.** Deprecated.',
};

/** The parameters of each access mode, without `accessToken`, another name of `api_key`. */
const modes = [['api_key'], accessModes.realm, accessModes.provider];

/** The access modes with the provider pair beside them (contract/access#provider-pair-beside). */
const modesBesideProviderPair = [
  ...modes,
  ['api_key', ...accessModes.provider],
  [...accessModes.realm, ...accessModes.provider],
];

const securityOf = (modes: readonly (readonly string[])[]): Security =>
  modes.map((names) => Object.fromEntries(names.map((name) => [name, []])));

/** The parameters of all access modes, the recommended mode first. */
export const securitySchemes: JsonSchema = Object.fromEntries(
  modes
    .flat()
    .map((name) => [
      name,
      { type: 'apiKey', in: 'query', name, description: descriptions[name] ?? '' },
    ]),
);

/**
 * The access that a generated client sends: the API key alone, because generated clients send all schemes that they
 * have values for, and two modes are an error (contract/access#two-modes).
 */
export const defaultSecurity: Security = securityOf([['api_key']]);

/** The access modes that an operation accepts, for the reference page. */
export const acceptedModes = securityOf(modes);

/**
 * The members of an operation that differ in access: `security` for an API key that cannot be used, and
 * `x-access-modes` for a pair beside another mode.
 */
export function operationSecurity({ name, allowsProviderPair }: Operation): JsonSchema {
  if (name === 'api_key create') {
    const pairs = securityOf([accessModes.realm, accessModes.provider]);
    return { security: pairs, 'x-access-modes': pairs };
  }
  return allowsProviderPair ? { 'x-access-modes': securityOf(modesBesideProviderPair) } : {};
}
