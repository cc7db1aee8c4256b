import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Realm } from '../realms/realm.entity.ts';

/** An application of a course provider that a realm uses. */
@Entity('provider_applications')
@Unique(['realmId', 'id'])
export class ProviderApplication {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => Realm)
  @Column('bigint')
  realmId!: number;

  @Column('text')
  name!: string;

  /** The URL of the course provider's API. */
  @Column('text')
  baseUrl!: string;

  /** The id of the application at the course provider. */
  @Column('text', { unique: true })
  appId!: string;

  /** Services open it to call the course provider. */
  @Column('text')
  sealedSecretKey!: string;

  /** Compared with the fingerprint of a presented secret key. */
  @Column('bytea')
  secretFingerprint!: Buffer;

  /** Of the secret key before the last change, which clients may use until `previousValidUntil`. */
  @Column('bytea', { nullable: true })
  previousFingerprint!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  previousValidUntil!: Date | null;

  /** Rises when the secret key is replaced. */
  @Column('bigint', { default: 0 })
  secretGeneration!: number;

  /** The password of the course provider's postbacks; null until it is first read. */
  @Column('text', { nullable: true })
  sealedPostbackSecret!: string | null;

  /** SHA-256, compared with that of a presented secret. */
  @Column('bytea', { nullable: true })
  postbackSecretHash!: Buffer | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
