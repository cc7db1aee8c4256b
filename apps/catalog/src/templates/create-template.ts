import { HandleRequest, type InputOf } from '@registrar/bus';
import { createTemplate, Failure, type TemplateRecord } from '@registrar/contracts';
import { sqlState, uniqueViolation } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { requireRealmAccess } from '../access-rules.ts';
import { toTemplateRecord } from './template-record.ts';
import { Template } from './template.entity.ts';

/** Creates a template of a realm (contract/templates#create). */
@Controller()
export class CreateTemplate {
  constructor(@InjectRepository(Template) private readonly templates: Repository<Template>) {}

  /**
   * Concurrent creates of one name insert one row.
   *
   * @throws {Failure} `unchanged` when the realm has a template of that name; `unauthenticated`
   */
  @HandleRequest(createTemplate)
  async create(input: InputOf<typeof createTemplate>): Promise<TemplateRecord> {
    const { scope, name, body, markup, mimetype } = input;
    requireRealmAccess(scope);
    const { realmId } = scope;
    // An insert that fails uses up an id, so a create that is repeated does not try one.
    if (await this.templates.existsBy({ realmId, name })) throw exists();
    const template = this.templates.create({ realmId, name, body, markup, mimetype });
    await this.templates.insert(template).catch((error: unknown) => {
      throw sqlState(error) === uniqueViolation ? exists() : error;
    });
    return toTemplateRecord(template);
  }
}

const exists = () => new Failure('unchanged', 'the realm has a template of that name');
