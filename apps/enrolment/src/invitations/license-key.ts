import { randomBytes } from 'node:crypto';

/** 32 characters that people do not confuse. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new license key: 100 random bits, as four groups of five characters. */
export const randomLicenseKey = (): string =>
  Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length])
    .join('')
    .replace(/(.{5})(?!$)/g, '$1-');
