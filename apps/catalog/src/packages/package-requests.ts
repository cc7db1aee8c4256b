import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { appendPackagePiece } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { AppendPackagePiece } from './append-package-piece.ts';

/** What is asked of course packages. */
@Controller()
export class PackageRequests {
  constructor(private readonly appendUseCase: AppendPackagePiece) {}

  @HandleRequest(appendPackagePiece)
  async append(
    input: InputOf<typeof appendPackagePiece>,
  ): Promise<ReplyOf<typeof appendPackagePiece>> {
    await this.appendUseCase.run(input);
    return {};
  }
}
