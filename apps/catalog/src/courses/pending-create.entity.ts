import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The title and custom text of a course create whose package is being imported. The create itself
 * applies them, or the crawl that finds the course when the import outlasts the request.
 */
@Entity('pending_creates')
export class PendingCreate {
  @PrimaryColumn('bigint') providerApplicationId!: number;

  @PrimaryColumn('text') courseGuid!: string;

  @Column('text', { nullable: true }) title!: string | null;

  @Column('text', { nullable: true }) custom!: string | null;

  @Index('pending_creates_by_age')
  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
