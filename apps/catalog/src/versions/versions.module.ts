import { Module } from '@nestjs/common';
import { RecordVersions } from './record-versions.ts';

/** Versions of courses and templates, by which other contexts know whether their copies are up to date. */
@Module({ controllers: [RecordVersions] })
export class VersionsModule {}
