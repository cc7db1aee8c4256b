import type { Sealing } from '@registrar/platform';

/** The registration of a password, by the ids of its application and of itself. */
interface PasswordOwner {
  readonly applicationId: number;
  /** The id that the application chose. */
  readonly registrationId: string;
}

const purposeOf = ({ applicationId, registrationId }: PasswordOwner) =>
  `postback-password:${applicationId}:${registrationId}`;

/** Seals the password of a registration's postbacks. */
export const sealPassword = (sealing: Sealing, password: string, owner: PasswordOwner): string =>
  sealing.seal(password, purposeOf(owner));

/** Opens what {@link sealPassword} sealed. @throws {Error} if no key of `LAUNCH_KEY_FILE` opens it */
export const openPassword = (sealing: Sealing, sealed: string, owner: PasswordOwner): string =>
  sealing.open(sealed, purposeOf(owner));
