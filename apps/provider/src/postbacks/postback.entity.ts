import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Application } from '../applications/application.entity.ts';
import { PostbackTarget } from './postback-target.entity.ts';

/** A pending postback: the result of the registration has changed since the last delivery. */
@Entity('postbacks')
@Index('postbacks_by_due', ['applicationId', 'dueAt'])
export class Postback {
  @ForeignKey(() => PostbackTarget, { onDelete: 'CASCADE' })
  @PrimaryColumn('bigint')
  registration!: number;

  @ForeignKey(() => Application)
  @Column('integer')
  applicationId!: number;

  /** Another one with each change of the result. */
  @Column('uuid', { default: () => 'gen_random_uuid()' })
  changeId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt!: Date;

  /** Deliveries of this change that have failed. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Until then, the replica that claimed the row sends it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leasedUntil!: Date | null;
}
