import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { createTemplate, indexTemplates, updateTemplate } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateTemplate } from './create-template.ts';
import { IndexTemplates } from './index-templates.ts';
import { UpdateTemplate } from './update-template.ts';

/** What is asked of templates. */
@Controller()
export class TemplateRequests {
  constructor(
    private readonly createUseCase: CreateTemplate,
    private readonly indexUseCase: IndexTemplates,
    private readonly updateUseCase: UpdateTemplate,
  ) {}

  @HandleRequest(createTemplate)
  create(input: InputOf<typeof createTemplate>): Promise<ReplyOf<typeof createTemplate>> {
    return this.createUseCase.run(input);
  }

  @HandleRequest(indexTemplates)
  index(input: InputOf<typeof indexTemplates>): Promise<ReplyOf<typeof indexTemplates>> {
    return this.indexUseCase.run(input);
  }

  @HandleRequest(updateTemplate)
  update(input: InputOf<typeof updateTemplate>): Promise<ReplyOf<typeof updateTemplate>> {
    return this.updateUseCase.run(input);
  }
}
