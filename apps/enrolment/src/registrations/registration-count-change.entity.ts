import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * By how much a statement has changed the number of registrations of a course. Triggers insert it.
 * A row of its own for each statement makes no writer wait for another, as a counter would.
 */
@Entity('registration_count_changes')
export class RegistrationCountChange {
  @PrimaryColumn('bigint')
  providerApplicationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('text')
  courseGuid!: string;

  @Column('bigint')
  change!: number;

  @Column('timestamptz', { default: () => 'now()' })
  changedAt!: Date;
}
