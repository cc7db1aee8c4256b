import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The copy of a course of the catalog. A course that is deleted and created again has two rows. */
@Entity('courses')
export class Course {
  /** The catalog's id. */
  @PrimaryColumn('bigint')
  id!: number;

  @PrimaryColumn('bigint')
  providerApplicationId!: number;

  @Column('text')
  courseGuid!: string;

  @Column('text')
  title!: string;

  @Column('boolean')
  deleted!: boolean;

  /** The provider's keywords of the course. */
  @Column('text', { array: true, default: [] })
  keywords!: string[];

  /** The version of the event that was applied last. */
  @Column('bigint')
  version!: number;
}
