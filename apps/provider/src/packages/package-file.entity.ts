import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { CourseVersion } from '../courses/course-version.entity.ts';

/** A file of the package of a course version. */
@Entity('package_files')
@Unique(['courseVersion', 'path'])
export class PackageFile {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => CourseVersion, { onDelete: 'CASCADE', deferrable: 'INITIALLY DEFERRED' })
  @Column('integer')
  courseVersion!: number;

  @Column('text')
  path!: string;

  /** Bytes. */
  @Column('integer')
  size!: number;
}
