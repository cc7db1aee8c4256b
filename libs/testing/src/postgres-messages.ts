/** A message of PostgreSQL's protocol (manual, 54.7). */
export interface PostgresMessage {
  /** The type; empty for the first message of a client, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Splits the byte stream of a client, or of the server, into messages. */
export class PostgresMessages {
  #hasTypes: boolean;
  #rest: Buffer = Buffer.alloc(0);

  constructor(sender: 'client' | 'server') {
    this.#hasTypes = sender === 'server';
  }

  *read(chunk: Buffer): Iterable<PostgresMessage> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const before = this.#hasTypes ? 1 : 0;
      if (this.#rest.length < before + 4) return;
      const length = before + this.#rest.readInt32BE(before);
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: this.#hasTypes ? String.fromCharCode(bytes[0] ?? 0) : '', bytes };
      this.#hasTypes = true;
    }
  }
}
