import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A template of a realm (contract/templates#record). */
@Entity('templates')
@Unique(['realmId', 'name'])
@Index('templates_by_realm', ['realmId', 'id'])
export class Template {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('bigint') realmId!: number;

  @Column('text') name!: string;

  @Column('text') body!: string;

  @Column('text', { nullable: true }) markup!: string | null;

  @Column('text', { nullable: true }) mimetype!: string | null;

  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
