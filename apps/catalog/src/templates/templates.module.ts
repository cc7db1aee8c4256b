import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CreateTemplate } from './create-template.ts';
import { DeleteTemplate } from './delete-template.ts';
import { IndexTemplates } from './index-templates.ts';
import { Template } from './template.entity.ts';
import { UpdateTemplate } from './update-template.ts';

/** Templates: index, create, update and delete. */
@Module({
  imports: [TypeOrmModule.forFeature([Template])],
  controllers: [CreateTemplate, DeleteTemplate, IndexTemplates, UpdateTemplate],
  providers: [],
})
export class TemplatesModule {}
