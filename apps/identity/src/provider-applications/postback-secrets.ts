import { postbackSecretPurpose, type Sealing } from '@registrar/platform';
import { hashSecret, randomSecret } from '../access/secrets.ts';

/** Makes a secret with which a course provider authenticates its postbacks, and its stored forms. */
export function newPostbackSecret(
  sealing: Sealing,
  appId: string,
): { readonly secret: string; readonly sealed: string; readonly hash: Buffer } {
  const secret = randomSecret();
  const sealed = sealing.seal(secret, postbackSecretPurpose(appId));
  return { secret, sealed, hash: hashSecret(secret) };
}
