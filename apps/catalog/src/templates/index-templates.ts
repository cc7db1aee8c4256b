import { HandleRequest, type InputOf } from '@registrar/bus';
import { indexTemplates, type Page, type TemplateRecord } from '@registrar/contracts';
import { decodeCursor, toPage } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, MoreThan, type Repository } from 'typeorm';
import { requireTemplateReader } from '../access-rules.ts';
import { toTemplateRecord } from './template-record.ts';
import { Template } from './template.entity.ts';

type Input = InputOf<typeof indexTemplates>;
type Filters = Input['filters'];

/** Lists the templates of a realm, page by page in the order of ids (contract/templates#index). */
@Injectable()
export class IndexTemplates {
  constructor(@InjectRepository(Template) private readonly templates: Repository<Template>) {}

  /** @throws {Failure} `unauthenticated` */
  @HandleRequest(indexTemplates)
  async index(input: Input): Promise<Page<TemplateRecord>> {
    const { scope, filters, cursor, limit } = input;
    requireTemplateReader(scope);
    const found = await this.templates.find({
      where: { ...defined(filters), realmId: scope.realmId, id: MoreThan(decodeCursor(cursor)) },
      order: { id: 'ASC' },
      take: limit + 1,
    });
    const { items, next } = toPage(found, limit);
    return { items: items.map(toTemplateRecord), next };
  }
}

/** TypeORM refuses conditions that are undefined. */
const defined = ({ name, markup, mimetype }: Filters): FindOptionsWhere<Template> => ({
  ...(name !== undefined && { name }),
  ...(markup !== undefined && { markup }),
  ...(mimetype !== undefined && { mimetype }),
});
