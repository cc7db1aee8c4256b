import { fail, type Finding } from './check.ts';

/** A store as its setting names it. */
interface Store {
  readonly name: 'RabbitMQ' | 'PostgreSQL';
  readonly host: string;
  /** The setting with its URL. */
  readonly setting: string;
  /** The URL's parameter for the file of the authority. */
  readonly authority: string;
}

/** OpenSSL's verdicts when no trusted authority has issued a certificate (Node manual, X509 certificate error codes). */
const untrusted = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
];

/** What a store without TLS causes: OpenSSL's code, and the message of node-postgres. */
const unencrypted = /ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|does not support SSL/;

/** Returns why TLS to a store failed; null when the error has another cause. */
export function tlsFault(error: NodeJS.ErrnoException, store: Store): Finding | null {
  const { name, host, setting, authority } = store;
  const { code = '', message } = error;
  const certificate = `the certificate of ${name} at ${host}`;
  if (untrusted.includes(code)) {
    return fail(
      `${certificate} is from an authority that is not trusted`,
      `name the file of the authority that issued it in ${setting}, as ${authority}`,
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const { cert } = error as { cert?: { subjectaltname?: string } };
    return fail(
      `${certificate} is for other hosts: ${cert?.subjectaltname}`,
      `use one of them in ${setting}, or issue a certificate for this host`,
    );
  }
  if (code === 'CERT_HAS_EXPIRED') return fail(`${certificate} has expired`, 'renew it');
  if (code === 'CERT_NOT_YET_VALID') {
    return fail(`${certificate} is not valid yet`, 'set both clocks by a time service (NTP)');
  }
  if (unencrypted.test(`${code} ${message}`)) {
    return fail(
      `${name} does not offer TLS at ${host}`,
      `give it a certificate, or correct ${setting}`,
    );
  }
  if (code === 'ENOENT' || code === 'EACCES') {
    return fail(`the file of ${authority} in ${setting} cannot be read: ${message}`, 'correct it');
  }
  return null;
}
