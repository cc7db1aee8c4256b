import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Copy of the number of registrations of a course, which enrolment counts. It does not depend on the
 * course's row, because the two arrive in any order.
 */
@Entity('registration_counts')
export class RegistrationCount {
  @PrimaryColumn('bigint') providerApplicationId!: number;

  @PrimaryColumn('text') courseGuid!: string;

  @Column('bigint') registrations!: number;

  /** Of the newest count that was applied. */
  @Column('bigint') version!: number;
}
