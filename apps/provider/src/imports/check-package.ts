import { BusClient, HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  checkPackage,
  Failure,
  type PackageFinding,
  readPackagePiece,
  requireUnbound,
} from '@registrar/contracts';
import { Controller, HttpStatus } from '@nestjs/common';
import { RetryLater } from '../http/retry-later.ts';
import { PackageError, refusal } from '../packages/package-error.ts';
import { maxUploadBytes } from '../packages/package-limits.ts';
import { PackageReader } from '../packages/package-reader.ts';
import { ImportTurns } from './import-turns.ts';
import { realmAsOwner } from './package-owner.ts';
import { type UploadedFile, UploadSpace } from './upload-space.ts';

type Input = InputOf<typeof checkPackage>;

/** Checks a package as an import reads it, in the same turns and the same space. */
@Controller()
export class CheckPackage {
  constructor(
    private readonly bus: BusClient,
    private readonly space: UploadSpace,
    private readonly turns: ImportTurns,
  ) {}

  /**
   * Takes the package from the catalog, piece by piece.
   *
   * @throws {Failure} `not-found` when the realm has no such upload; `over-limit` or `overloaded` when the realm, or all
   * together, have too many packages that wait; `unauthenticated` for a user-bound key
   */
  @HandleRequest(checkPackage)
  async check(input: Input): Promise<ReplyOf<typeof checkPackage>> {
    requireUnbound(input.scope);
    const owner = realmAsOwner(input.scope);
    try {
      await using file = await this.space.open(owner);
      await this.receive(input, file);
      const findings = await this.turns.run(owner, () => findingsIn(file));
      return { findings: [...findings] };
    } catch (error) {
      if (error instanceof PackageError) return { findings: [...error.findings] };
      throw error instanceof RetryLater ? toFailure(error) : error;
    }
  }

  /** @throws {PackageError} if the package is larger than any that can be uploaded */
  private async receive({ scope, uploadId }: Input, file: UploadedFile): Promise<void> {
    let pieces = 1;
    for (let index = 0; index < pieces; index += 1) {
      const piece = await this.bus.request(readPackagePiece, { scope, uploadId, index });
      ({ pieces } = piece);
      const bytes = Buffer.from(piece.bytes, 'base64');
      if (file.size + bytes.length > maxUploadBytes) {
        throw refusal('package-too-large', `The package is larger than ${maxUploadBytes} bytes.`);
      }
      await file.write(bytes);
    }
  }
}

async function findingsIn({ descriptor }: UploadedFile): Promise<readonly PackageFinding[]> {
  using reader = new PackageReader(descriptor, 'check');
  return await reader.check();
}

function toFailure(error: RetryLater): Failure {
  const isOwnFault = error.getStatus() === (HttpStatus.TOO_MANY_REQUESTS as number);
  const { message, retryAfterSeconds } = error;
  const options = { cause: error, retryAfterSeconds };
  return new Failure(isOwnFault ? 'over-limit' : 'overloaded', message, undefined, options);
}
