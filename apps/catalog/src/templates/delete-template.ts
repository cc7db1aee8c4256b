import { HandleRequest, type InputOf } from '@registrar/bus';
import { deleteTemplate, Failure, type TemplateRecord } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { reachedTemplates, requireRealmAccess } from '../access-rules.ts';
import { toTemplateRecord } from './template-record.ts';
import { Template } from './template.entity.ts';

/** Deletes a template of a realm (contract/templates#delete). */
@Controller()
export class DeleteTemplate {
  constructor(
    @InjectRepository(Template) private readonly templates: Repository<Template>,
    private readonly database: Database,
  ) {}

  /** @throws {Failure} `not-found` when the realm has no such template; `unauthenticated` */
  @HandleRequest(deleteTemplate)
  async delete({ scope, id }: InputOf<typeof deleteTemplate>): Promise<TemplateRecord> {
    requireRealmAccess(scope);
    const which = { ...reachedTemplates(scope), id };
    return this.database.transaction(async () => {
      // Locked, so that of concurrent deletes only one finds the template.
      const template = await this.templates.findOne({
        where: which,
        lock: { mode: 'pessimistic_write' },
      });
      if (!template) throw new Failure('not-found', 'the realm has no such template');
      await this.templates.delete(which);
      return toTemplateRecord(template);
    });
  }
}
