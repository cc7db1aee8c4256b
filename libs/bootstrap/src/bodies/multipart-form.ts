import { Busboy } from '@fastify/busboy';
import { Failure, shownName } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { maxBytes } from './body-limits.ts';
import { maxFields } from './form-fields.ts';
import { joinPieces } from './join-pieces.ts';
import type { BodyBounds } from './read-bodies.ts';
import { charsetOf, TextEncoding } from './text-encoding.ts';

/** Receives the parts of a form in their order. */
export interface FormParts {
  /** @throws {Error} to end the reading of the form */
  field(name: string, value: string): void;
  /**
   * Consumes a file; rejects to end the reading of the form.
   *
   * @param fileName what the client calls the file; empty for none
   */
  file(name: string, file: Readable, fileName: string): Promise<void>;
}

/** How many headers a part of a form may have, and how long they may be together: bytes. */
const headerLimits = { headerPairs: 16, headerSize: 8_192 };

/** The bytes that are parsed at a time. */
const stepBytes = 8_192;

const invalid = (reason: string) => new Failure('invalid', reason);

/** The part of Busboy that reads the parts of a form, which its types leave out. */
interface PartReader {
  readonly _parser: {
    readonly parser: {
      on(
        event: 'part',
        listener: (part: {
          on(event: 'header', listener: (headers: PartHeaders) => void): void;
        }) => void,
      ): unknown;
      prependListener: PartReader['_parser']['parser']['on'];
    };
  };
}
type PartHeaders = Record<string, string[] | undefined>;

/**
 * A `multipart/form-data` body, with one file at most. Busboy is used without `@fastify/multipart`, which
 * would pass pieces of single bytes on to it, and bound fields only after they have been kept.
 */
export class MultipartForm {
  constructor(
    private readonly request: FastifyRequest,
    private readonly bytes: AsyncIterable<Buffer>,
    private readonly bounds: BodyBounds,
  ) {}

  /** @throws {Failure} `invalid` when the form cannot be read or is beyond a limit */
  async read(parts: FormParts): Promise<void> {
    const reader = new FormReader(this.request.headers['content-type'] ?? '', parts);
    try {
      for await (const piece of joinPieces(this.bytes)) {
        // Files are passed on and not kept.
        if (!reader.isInFile) this.bounds.take(piece.length, maxBytes.form);
        await reader.write(piece);
      }
      await reader.end();
    } catch (error) {
      await reader.abort(error as Error);
      throw error;
    }
  }
}

class FormReader {
  readonly #parser: InstanceType<typeof Busboy>;
  readonly #files: Promise<void>[] = [];
  #file: Readable | null = null;
  #fault: Error | null = null;
  /** Settles with the form; rejects as soon as it cannot be read any further. */
  readonly #finished = Promise.withResolvers<void>();
  /** Rejects the write that is under way. */
  #interrupt: (fault: Error) => void = () => undefined;
  /** The charset of the part that is being read; undefined for that of the form. */
  #charset: string | undefined;

  constructor(
    private readonly contentType: string,
    private readonly parts: FormParts,
  ) {
    try {
      this.#parser = new Busboy({
        headers: { 'content-type': contentType },
        // A byte for each character: Busboy would replace what is not UTF-8.
        defCharset: 'latin1',
        limits: {
          files: 1,
          fields: maxFields,
          parts: maxFields + 1,
          fieldSize: maxBytes.form,
          ...headerLimits,
        },
      });
    } catch (error) {
      throw unreadable(error);
    }
    const { parser } = (this.#parser as unknown as PartReader)._parser;
    parser.prependListener('part', (part) => part.on('header', (headers) => this.#begin(headers)));
    // Without a listener a rejection would end the process.
    this.#finished.promise.catch(() => undefined);
    this.#parser
      .on('finish', () => this.#finished.resolve())
      .on('field', (name: string | undefined, value: string) => this.#addField(name, value))
      .on('file', (name: string | undefined, file: Readable, fileName: string | undefined) =>
        this.#startFile(name ?? '', file, fileName ?? ''),
      )
      .on('filesLimit', () => this.#fail(invalid('the form has more than one file')))
      .on('fieldsLimit', () => this.#fail(invalid('too many parameters')))
      .on('partsLimit', () => this.#fail(invalid('too many parameters')))
      .on('error', (error: Error) => this.#fail(unreadable(error)));
  }

  get isInFile(): boolean {
    return this.#file !== null;
  }

  async write(chunk: Buffer): Promise<void> {
    for (let from = 0; from < chunk.length; from += stepBytes) {
      const step = chunk.subarray(from, from + stepBytes);
      await new Promise<void>((resolve, reject) => {
        this.#interrupt = reject;
        if (this.#fault) reject(this.#fault);
        // A file that is read slowly delays this.
        else this.#parser.write(step, (error) => (error ? reject(unreadable(error)) : resolve()));
      });
      this.#throwFault();
      // Hundreds of fields take milliseconds.
      if (!this.isInFile) await setImmediate();
    }
  }

  async end(): Promise<void> {
    this.#throwFault();
    this.#parser.end();
    await this.#finished.promise;
    await Promise.all(this.#files);
    this.#throwFault();
  }

  /** Ends the work on a file. */
  async abort(fault: Error): Promise<void> {
    this.#fail(fault);
    await Promise.all(this.#files);
  }

  #throwFault(): void {
    if (this.#fault) throw this.#fault;
  }

  #fail(fault: Error): void {
    this.#fault ??= fault;
    this.#file?.destroy();
    this.#interrupt(this.#fault);
    this.#finished.reject(this.#fault);
  }

  /** Takes the charset of a part from its headers before Busboy reads them. */
  #begin(headers: PartHeaders): void {
    const [type] = headers['content-type'] ?? [];
    this.#charset = charsetOf(type);
    if (type !== undefined) headers['content-type'] = [type.split(';', 1)[0] ?? ''];
  }

  /** @param bytes a byte for each character */
  #addField(name = '', bytes: string): void {
    try {
      const encoding = new TextEncoding(this.#charset ?? charsetOf(this.contentType));
      const shown = shownName(name);
      this.parts.field(name, encoding.decode(Buffer.from(bytes, 'latin1'), shown, shown));
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #startFile(name: string, file: Readable, fileName: string): void {
    this.#file = file;
    // The parser emits it on a file that ends without a boundary, also after the file was destroyed.
    file.on('error', (error) => this.#fail(unreadable(error)));
    const consumed = this.parts.file(name, file, fileName).then(
      () => void (this.#file = null),
      // Unchanged: not every error of a request is a Failure.
      (error: Error) => this.#fail(error),
    );
    this.#files.push(consumed);
  }
}

const unreadable = (error: unknown) =>
  invalid(`the multipart form cannot be read: ${Failure.from(error).message}`);
