import { HandleRequest, type InputOf } from '#libs/bus';
import { type ApiKeyRecord, createApiKey } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateApiKey } from './create-api-key.ts';

/** What is asked of api keys. */
@Controller()
export class ApiKeyRequests {
  constructor(private readonly createUseCase: CreateApiKey) {}

  @HandleRequest(createApiKey)
  create(input: InputOf<typeof createApiKey>): Promise<ApiKeyRecord> {
    return this.createUseCase.run(input);
  }
}
