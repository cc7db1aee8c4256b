import { Busboy } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { Failure } from '@registrar/contracts';
import { maxValues, type ParameterCollection } from '../parameters/request-parameters.ts';
import type { BodyParser } from './body-parser.ts';

/** Consumes a file of a form; rejects to end the reading of the form. */
export type ReadFile = (name: string, file: Readable) => Promise<void>;

/** How many headers a part of a form may have, and how long they may be together: bytes. */
const headerLimits = { headerPairs: 16, headerSize: 8_192 };

/** The bytes that are parsed at a time. */
const stepBytes = 16_384;

const invalid = (reason: string) => new Failure('invalid', reason);

/** Parses `multipart/form-data` (contract/parameters#body-multipart). */
export class MultipartParser implements BodyParser {
  readonly #parser: InstanceType<typeof Busboy>;
  readonly #files: Promise<void>[] = [];
  #file: Readable | null = null;
  #fault: Error | null = null;
  /** Settles with the form; rejects as soon as it cannot be read any further. */
  readonly #finished = Promise.withResolvers<void>();
  /** Rejects the write that is under way. */
  #interrupt: (fault: Error) => void = () => undefined;

  /**
   * @param readFile called with each file of the form, after the parameters before it were added
   */
  constructor(
    contentType: string,
    private readonly given: ParameterCollection,
    private readonly readFile: ReadFile,
    maxFieldBytes: number,
  ) {
    try {
      this.#parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          files: 1,
          fields: maxValues,
          parts: maxValues + 1,
          fieldSize: maxFieldBytes,
          ...headerLimits,
        },
      });
    } catch (error) {
      throw unreadable(error);
    }
    // Without a listener a rejection would end the process.
    this.#finished.promise.catch(() => undefined);
    this.#parser
      .on('finish', () => this.#finished.resolve())
      .on('field', (name: string | undefined, value: string) => this.#addField(name, value))
      .on('file', (name: string | undefined, file: Readable) => this.#startFile(name ?? '', file))
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
    }
  }

  async end(): Promise<void> {
    this.#throwFault();
    this.#parser.end();
    await this.#finished.promise;
    await Promise.all(this.#files);
    this.#throwFault();
  }

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

  #addField(name: string | undefined, value: string): void {
    try {
      this.given.add(name ?? '', value);
    } catch (error) {
      this.#fail(Failure.from(error));
    }
  }

  #startFile(name: string, file: Readable): void {
    this.#file = file;
    // The parser emits it on a file that ends without a boundary, also after the file was destroyed.
    file.on('error', (error) => this.#fail(unreadable(error)));
    const consumed = this.readFile(name, file).then(
      () => void (this.#file = null),
      // Unchanged: not every error of a request is a Failure.
      (error: Error) => this.#fail(error),
    );
    this.#files.push(consumed);
  }
}

const unreadable = (error: unknown) =>
  invalid(`the multipart form cannot be read: ${Failure.from(error).message}`);
