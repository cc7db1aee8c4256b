import type { RealmLimits } from '@registrar/contracts';
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

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The limits that differ from the defaults; null for none. */
  @Column('jsonb', { nullable: true })
  limits!: RealmLimits | null;
}
