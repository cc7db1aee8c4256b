import { HandleRequest, type InputOf } from '@registrar/bus';
import { Failure, type TemplateRecord, updateTemplate } from '@registrar/contracts';
import { Database, sqlState, uniqueViolation } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, type Repository } from 'typeorm';
import { reachedTemplates, requireRealmAccess } from '../access-rules.ts';
import { toTemplateRecord } from './template-record.ts';
import { Template } from './template.entity.ts';

type Input = InputOf<typeof updateTemplate>;

/** Updates a template of a realm; values that are null stay as they are (contract/templates#update). */
@Controller()
export class UpdateTemplate {
  constructor(
    @InjectRepository(Template) private readonly templates: Repository<Template>,
    private readonly database: Database,
  ) {}

  /**
   * @throws {Failure} `not-found` when the realm has no such template; `invalid` when another one
   * has the new name; `unauthenticated`
   */
  @HandleRequest(updateTemplate)
  async update(input: Input): Promise<TemplateRecord> {
    requireRealmAccess(input.scope);
    const which = conditionOf(input);
    return this.database.transaction(async () => {
      const { affected } = await this.templates.update(which, changesOf(input)).catch(refuseName);
      if (affected === 0) throw new Failure('not-found', 'the realm has no such template');
      const { scope, name } = input;
      return toTemplateRecord(
        await this.templates.findOneByOrFail(
          name === null ? which : { ...reachedTemplates(scope), name },
        ),
      );
    });
  }
}

function conditionOf({ scope, template }: Input): FindOptionsWhere<Template> {
  const named = template.by === 'id' ? { id: template.id } : { name: template.name };
  return { ...reachedTemplates(scope), ...named };
}

/** Only what is given changes: a value that is undefined is no part of the statement. */
const changesOf = ({ name, body, markup, mimetype }: Input) => ({
  name: name ?? undefined,
  body: body ?? undefined,
  markup: markup ?? undefined,
  mimetype: mimetype ?? undefined,
  updatedAt: () => 'now()',
});

function refuseName(error: unknown): never {
  if (sqlState(error) !== uniqueViolation) throw error;
  throw new Failure('invalid', 'another template of the realm has that name');
}
