import { type QueryScope } from '@registrar/contracts';
import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A stored query (contract/stored-queries#record). The unique key treats nulls as equal. */
@Entity('stored_queries')
@Unique(['name', 'queryScope', 'realmId', 'providerApplicationId'])
export class StoredQuery {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('text')
  name!: string;

  @Column('text')
  queryScope!: QueryScope;

  /** Null for a built-in query. */
  @Column('bigint', { nullable: true })
  realmId!: number | null;

  /** Set for a query of the scope `provider` only. */
  @Column('bigint', { nullable: true })
  providerApplicationId!: number | null;

  @Column('text')
  sql!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
