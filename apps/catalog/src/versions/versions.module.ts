import { Module } from '@nestjs/common';
import { PruneChanges } from './prune-changes.ts';
import { ReadVersions } from './read-versions.ts';

/** Versions of courses and templates, by which other contexts know whether their copies are up to date. */
@Module({ controllers: [ReadVersions], providers: [PruneChanges] })
export class VersionsModule {}
