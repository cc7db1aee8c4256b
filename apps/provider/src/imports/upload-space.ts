import { OverLimitLog } from '@registrar/bootstrap';
import { HttpException, HttpStatus, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthenticatedApplication } from '../access-rules.ts';

/** Uploads, from their arrival to the end of their import. */
interface Held {
  readonly uploads: number;
  readonly bytes: number;
}

/**
 * What all uploads of one process hold at a time. An application gets more as long as it then holds no more than is
 * free: one application alone has half of it, and the next ones half of the rest.
 */
const space: Held = { uploads: 48, bytes: 4 * 1024 * 1024 * 1024 };

const nothing: Held = { uploads: 0, bytes: 0 };

/** The application, or all of them together, hold too much. */
export class TooManyUploads extends HttpException {
  /** When the upload should be repeated: seconds. */
  readonly retryAfterSeconds = 10;
}

/** Bounds the uploads of applications. */
@Injectable()
export class UploadSpace {
  readonly #held = new Map<number, Held>();

  constructor(private readonly overLimit: OverLimitLog<'imports'>) {}

  /**
   * Opens a file for an upload.
   *
   * @throws {TooManyUploads}
   */
  async open({ id }: AuthenticatedApplication): Promise<UploadedFile> {
    this.take(id, { uploads: 1, bytes: 0 });
    const release = (bytes: number) => this.add(id, { uploads: -1, bytes: -bytes });
    try {
      const handle = await openWithoutName();
      return new UploadedFile(handle, (bytes) => this.take(id, { uploads: 0, bytes }), release);
    } catch (error) {
      release(0);
      throw error;
    }
  }

  private take(application: number, more: Held): void {
    const own = this.#held.get(application) ?? nothing;
    const all = [...this.#held.values()].reduce(sum, nothing);
    const free = { uploads: space.uploads - all.uploads, bytes: space.bytes - all.bytes };
    if (fits(sum(own, more), free, more)) this.add(application, more);
    else throw this.refuse(application, fits(more, free, more));
  }

  private refuse(application: number, isOwnFault: boolean): TooManyUploads {
    const whose = isOwnFault ? `application ${application}` : 'all applications';
    this.overLimit.record('imports', `the uploads of ${whose} have reached a limit`);
    return isOwnFault
      ? new TooManyUploads(
          'Too many packages of the application wait for their import. Try again later.',
          HttpStatus.TOO_MANY_REQUESTS,
        )
      : new TooManyUploads(
          'Too many packages wait for their import. Try again later.',
          HttpStatus.SERVICE_UNAVAILABLE,
        );
  }

  private add(application: number, more: Held): void {
    const held = sum(this.#held.get(application) ?? nothing, more);
    if (held.uploads > 0) this.#held.set(application, held);
    else this.#held.delete(application);
  }
}

const sum = (a: Held, b: Held): Held => ({
  uploads: a.uploads + b.uploads,
  bytes: a.bytes + b.bytes,
});

/** Whether `held` is no more than `free`, of what `more` adds to. */
const fits = (held: Held, free: Held, more: Held): boolean =>
  (more.uploads === 0 || held.uploads <= free.uploads) &&
  (more.bytes === 0 || held.bytes <= free.bytes);

/** A file without a name is gone with its process, however that ends. */
async function openWithoutName(): Promise<FileHandle> {
  const path = join(tmpdir(), `registrar-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  return handle;
}

/** The file of an upload. */
export class UploadedFile implements AsyncDisposable {
  #size = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly take: (bytes: number) => void,
    private readonly release: (bytes: number) => void,
  ) {}

  get descriptor(): number {
    return this.handle.fd;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** @throws {TooManyUploads} */
  async write(bytes: Buffer): Promise<void> {
    this.take(bytes.length);
    this.#size += bytes.length;
    await this.handle.writeFile(bytes);
  }

  /** Deletes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.release(this.#size);
    await this.handle.close();
  }
}
