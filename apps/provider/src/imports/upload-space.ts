import { OverLimitLog } from '@registrar/bootstrap';
import { HttpStatus, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RetryLater } from '../http/retry-later.ts';
import type { PackageOwner } from './package-owner.ts';

/**
 * What all uploads of one process hold at a time, from their arrival to the end of their import or check. An owner gets
 * more as long as it then holds no more than is free: one alone has half of it, and the next ones half of the rest.
 */
const space = { uploads: 48, bytes: 4 * 1024 * 1024 * 1024 };

/** Bounds the uploads of each owner. */
@Injectable()
export class UploadSpace {
  /** By the id of the owner. */
  readonly #held = { uploads: new Map<number, number>(), bytes: new Map<number, number>() };

  constructor(private readonly overLimit: OverLimitLog<'imports'>) {}

  /**
   * Opens a file for an upload.
   *
   * @throws {RetryLater} if the owner, or all of them together, hold too much
   */
  async open(owner: PackageOwner): Promise<UploadedFile> {
    const { id } = owner;
    this.take(owner, 'uploads', 1);
    const release = (bytes: number) => {
      this.add(id, 'uploads', -1);
      this.add(id, 'bytes', -bytes);
    };
    try {
      const handle = await openWithoutName();
      return new UploadedFile(handle, (bytes) => this.take(owner, 'bytes', bytes), release);
    } catch (error) {
      release(0);
      throw error;
    }
  }

  private take(owner: PackageOwner, kind: keyof typeof space, more: number): void {
    const held = this.#held[kind];
    const free = space[kind] - [...held.values()].reduce((sum, each) => sum + each, 0);
    if ((held.get(owner.id) ?? 0) + more <= free) this.add(owner.id, kind, more);
    else throw this.refuse(owner, more <= free);
  }

  private refuse({ kind, name }: PackageOwner, isOwnFault: boolean): RetryLater {
    const whose = isOwnFault ? name : 'all applications and realms';
    this.overLimit.record('imports', `the uploads of ${whose} have reached a limit`);
    return isOwnFault
      ? new RetryLater(
          `Too many packages of the ${kind} wait. Try again later.`,
          HttpStatus.TOO_MANY_REQUESTS,
        )
      : new RetryLater('Too many packages wait. Try again later.', HttpStatus.SERVICE_UNAVAILABLE);
  }

  private add(owner: number, kind: keyof typeof space, more: number): void {
    const held = (this.#held[kind].get(owner) ?? 0) + more;
    if (held > 0) this.#held[kind].set(owner, held);
    else this.#held[kind].delete(owner);
  }
}

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

  /** @throws {RetryLater} if the owner, or all of them together, hold too much */
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
