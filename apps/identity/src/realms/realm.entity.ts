import type { RealmCompatibility, RealmLimits } from '@registrar/contracts';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A customer's part of the installation. */
@Entity('realms')
export class Realm {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('text', { unique: true })
  guid!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the secret key. */
  @Column('bytea')
  secretHash!: Buffer;

  /** SHA-256 of the secret key before, which is accepted until {@link previousSecretUntil}. */
  @Column('bytea', { nullable: true })
  previousSecretHash!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  previousSecretUntil!: Date | null;

  /** Rises when the secret key is replaced. */
  @Column('bigint', { default: 0 })
  secretGeneration!: number;

  /** Null while the realm is enabled. */
  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  /** Rises when the realm is disabled or enabled. */
  @Column('bigint', { default: 0 })
  version!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The limits that differ from the defaults; null for none. */
  @Column('jsonb', { nullable: true })
  limits!: RealmLimits | null;

  /** The clients that it serves beside the contract; null for none. */
  @Column('jsonb', { nullable: true })
  compatibility!: RealmCompatibility | null;
}
