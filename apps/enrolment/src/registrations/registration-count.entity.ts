import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of registrations of a course that are neither inactive nor deleted at the provider. */
@Entity('registration_counts')
export class RegistrationCount {
  @PrimaryColumn('bigint')
  providerApplicationId!: number;

  @PrimaryColumn('text')
  courseGuid!: string;

  @Column('bigint')
  registrations!: number;

  /** When it was counted, in milliseconds since the epoch; rises with every count. */
  @Column('bigint')
  version!: number;
}
