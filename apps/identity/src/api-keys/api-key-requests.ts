import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import {
  type ApiKeyRecord,
  createApiKey,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
} from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateApiKey } from './create-api-key.ts';
import { IssueApiKey } from './issue-api-key.ts';
import { ListApiKeys } from './list-api-keys.ts';
import { RevokeApiKey } from './revoke-api-key.ts';

/** What is asked of api keys. */
@Controller()
export class ApiKeyRequests {
  constructor(
    private readonly createUseCase: CreateApiKey,
    private readonly issueUseCase: IssueApiKey,
    private readonly listUseCase: ListApiKeys,
    private readonly revokeUseCase: RevokeApiKey,
  ) {}

  @HandleRequest(createApiKey)
  create(input: InputOf<typeof createApiKey>): Promise<ApiKeyRecord> {
    return this.createUseCase.run(input);
  }

  @HandleRequest(issueApiKey)
  issue(input: InputOf<typeof issueApiKey>): Promise<ReplyOf<typeof issueApiKey>> {
    return this.issueUseCase.run(input);
  }

  @HandleRequest(listApiKeys)
  list(input: InputOf<typeof listApiKeys>): Promise<ReplyOf<typeof listApiKeys>> {
    return this.listUseCase.run(input);
  }

  @HandleRequest(revokeApiKey)
  async revoke({ apiKeyId }: InputOf<typeof revokeApiKey>): Promise<ReplyOf<typeof revokeApiKey>> {
    await this.revokeUseCase.run(apiKeyId);
    return {};
  }
}
