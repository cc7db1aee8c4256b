import type { FuzzRealm } from './fuzz-realm.ts';
import type { FuzzOperation } from './operations.ts';

/** A request of the fuzzer, as it is sent. */
export interface FuzzRequest {
  /** Its number in the run; with the seed it stands for the same choices. */
  readonly index: number;
  readonly server: 'gateway' | 'provider';
  /** Null for a path or method that no operation has. */
  readonly operation: FuzzOperation | null;
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  /** Names and values in turn, because a name may be repeated. */
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  /** Whose access the request carries. */
  readonly realm: FuzzRealm;
  /** How it identifies the caller. */
  readonly access: string;
  /** It has an access that is wrong, incomplete or ended. */
  readonly isRefused: boolean;
  /** The statuses that its response may have. */
  readonly statuses: ReadonlySet<number>;
  /** What is covered: `title long`. */
  readonly covers: readonly string[];
}

/** Writes the request as a command line that repeats it. */
export function toCurl({ method, path, headers, body }: FuzzRequest, origin: string): string {
  const fields: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    fields.push(`-H ${quoted(`${headers[at]}: ${headers[at + 1]}`)}`);
  }
  const curl = ['curl -is --path-as-is', `-X ${method}`, ...fields];
  const sent = body && body.length > 0 ? ' --data-binary @-' : '';
  const piped = body && body.length > 0 ? `base64 -d <<<'${body.toString('base64')}' | ` : '';
  return `${piped}${curl.join(' ')}${sent} ${quoted(origin + path)}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
