import { Module } from '@nestjs/common';
import { PruneChanges } from './prune-changes.ts';
import { ReadVersions } from './read-versions.ts';

/** Versions of courses and templates, by which other contexts know whether their copies are up to date. */
@Module({ providers: [PruneChanges, ReadVersions] })
export class VersionsModule {}
