import { Module } from '@nestjs/common';
import { ManageTemplates } from './manage-templates.ts';

/** Templates: index, create, update and delete. */
@Module({ controllers: [ManageTemplates] })
export class TemplatesModule {}
