import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { rotateLaunchKey } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { LaunchLinkKeys } from './launch-link-keys.ts';

/** Replaces the key that signs launch links. */
@Controller()
export class RotateLaunchKey {
  constructor(private readonly keys: LaunchLinkKeys) {}

  @HandleRequest(rotateLaunchKey)
  rotate(input: InputOf<typeof rotateLaunchKey>): Promise<ReplyOf<typeof rotateLaunchKey>> {
    return this.keys.rotate(input);
  }
}
