/** The credentials of a client: one access mode of the contract (contract/access#modes). */
export type Access =
  | { readonly api_key: string }
  | { readonly realm_guid: string; readonly realm_secret_key: string }
  | { readonly sc_app_id: string; readonly sc_secret_key: string };

/** Where a request carries its credentials. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Places credentials in the `Authorization` header, so that they are in no URL (contract/access#authorization). A
 * provider pair has no header, and is sent as parameters.
 */
export function credentialsOf(access: Access): Credentials {
  if ('api_key' in access) return inHeader(`Bearer ${access.api_key}`);
  if ('realm_guid' in access) {
    return inHeader(`Basic ${btoa(`${access.realm_guid}:${access.realm_secret_key}`)}`);
  }
  const { sc_app_id, sc_secret_key } = access;
  return { headers: {}, parameters: { sc_app_id, sc_secret_key } };
}

const inHeader = (authorization: string): Credentials => ({
  headers: { authorization },
  parameters: {},
});
