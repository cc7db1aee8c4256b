import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];

/** A server's certificate and its private key, as files in PEM. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A private certificate authority of one suite. Needs the program `openssl` (`findPrograms`). */
export class CertificateAuthority {
  /** The authority's own certificate, in PEM. */
  readonly file: string;
  readonly #key: string;

  private constructor(private readonly directory: string) {
    this.file = join(directory, 'ca.crt');
    this.#key = join(directory, 'ca.key');
  }

  static async create(): Promise<CertificateAuthority> {
    const authority = new CertificateAuthority(await mkdtemp(join(tmpdir(), 'registrar-ca-')));
    const { file } = authority;
    const subject = ['-subj', '/CN=Registrar test authority', '-days', '2'];
    await run('openssl', [
      'req',
      '-x509',
      ...newKey,
      ...subject,
      '-keyout',
      authority.#key,
      '-out',
      file,
    ]);
    return authority;
  }

  /**
   * Issues a certificate for a server at `localhost`. The same name gives the same files.
   *
   * @param days how long it is valid; -1 for a certificate that expired yesterday
   */
  async issue(name: string, days = 2): Promise<ServerCertificate> {
    const inside = (file: string) => join(this.directory, `${name}.${file}`);
    const [certificate, key, request] = [inside('crt'), inside('key'), inside('csr')];
    const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
    await run('openssl', ['req', '-new', ...newKey, ...names, '-keyout', key, '-out', request]);
    const issuer = ['-CA', this.file, '-CAkey', this.#key, '-CAcreateserial'];
    const validity = ['-copy_extensions', 'copy', '-days', String(days)];
    await run('openssl', [
      'x509',
      '-req',
      '-in',
      request,
      ...issuer,
      ...validity,
      '-out',
      certificate,
    ]);
    return { certificate, key };
  }

  async dispose(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
