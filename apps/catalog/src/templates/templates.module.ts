import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CreateTemplate } from './create-template.ts';
import { IndexTemplates } from './index-templates.ts';
import { Template } from './template.entity.ts';
import { UpdateTemplate } from './update-template.ts';

/** Templates: index, create and update. */
@Module({
  imports: [TypeOrmModule.forFeature([Template])],
  providers: [CreateTemplate, IndexTemplates, UpdateTemplate],
})
export class TemplatesModule {}
