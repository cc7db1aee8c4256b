import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import {
  Column,
  Entity,
  type MigrationInterface,
  PrimaryGeneratedColumn,
  type QueryRunner,
} from 'typeorm';
import { type ContextSchema } from './context-data-source.ts';
import { type Database } from './database.ts';
import { openDatabase } from './persistence.module.ts';

@Entity('items')
export class Item {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('text', { unique: true })
  name!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

class Items1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE items (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }
  down(): Promise<void> {
    throw new Error('forward only');
  }
}

export const itemsSchema: ContextSchema = {
  name: 'sample',
  entities: [Item],
  migrations: [Items1700000000000],
};

/** A database with an empty table of items. */
export async function openItems(): Promise<{ server: TestDatabase; database: Database }> {
  const server = await createTestDatabase();
  return { server, database: await openDatabase(itemsSchema, server.url) };
}
