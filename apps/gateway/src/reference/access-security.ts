import { accessModes } from '../access/access-mode.ts';
import type { Operation } from '../operations/operation.ts';
import { contractLink } from './contract-links.ts';
import type { JsonSchema } from './record-schema.ts';

type Security = readonly JsonSchema[];

const link = (rule: string) => `([contract](${contractLink(`access#${rule}`)}))`;

/** An access mode by the names of its security schemes, which are sent together. */
type Mode = readonly string[];

/**
 * All access modes, the recommended one first. API key and realm pair are in the `Authorization` header
 * (contract/access#authorization): each mode has one way in the documents, because clients that are generated from them
 * would send two.
 */
export const securitySchemes: JsonSchema = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: `**API key: begin here.** The \`access_token\` that \`POST /api_key.json\` returned for a realm pair. \`npm start\` prints a command that creates one. A key that is bound to a user is safe in a browser; all others belong on a server ${link('api-key')}. Where no header can be sent, as by JSONP, it is the parameter \`api_key\`.`,
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: `**Realm pair.** \`realm_guid\` as the user and \`realm_secret_key\` as the password, or as parameters. The operator hands the pair out. It creates API keys, and belongs on a server ${link('realm-pair')}.`,
  },
  sc_app_id: {
    type: 'apiKey',
    in: 'query',
    name: 'sc_app_id',
    description: `**Provider application pair, first part.** Deprecated: it may be removed in a later version ${link('provider-pair')}.`,
  },
  sc_secret_key: {
    type: 'apiKey',
    in: 'query',
    name: 'sc_secret_key',
    description: '**Provider application pair, second part.** Deprecated.',
  },
};

const apiKey: Mode = ['bearer'];
const realmPair: Mode = ['basic'];
const providerPair: Mode = accessModes.provider;

const modes = [apiKey, realmPair, providerPair];

/** The access modes with the provider pair beside them (contract/access#provider-pair-beside). */
const modesBesideProviderPair = [
  ...modes,
  [...apiKey, ...providerPair],
  [...realmPair, ...providerPair],
];

const securityOf = (modes: readonly Mode[]): Security =>
  modes.map((names) => Object.fromEntries(names.map((name) => [name, []])));

/**
 * The access that a generated client sends: the API key alone, because generated clients send all schemes that they
 * have values for, and two modes are an error (contract/access#two-modes).
 */
export const defaultSecurity: Security = securityOf([apiKey]);

/** The access modes that an operation accepts, for the reference page. */
export const acceptedModes = securityOf(modes);

/**
 * The members of an operation that differ in access: `security` for an API key that cannot be used, and
 * `x-access-modes` for a pair beside another mode.
 */
export function operationSecurity({ name, allowsProviderPair }: Operation): JsonSchema {
  if (name === 'api_key create') {
    const pairs = securityOf([realmPair, providerPair]);
    return { security: pairs, 'x-access-modes': pairs };
  }
  return allowsProviderPair ? { 'x-access-modes': securityOf(modesBesideProviderPair) } : {};
}
