import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { randomBytes } from 'node:crypto';
import { Repository } from 'typeorm';
import { SigningKey } from './signing-key.entity.ts';

const purpose = 'launch links';

/** The key that signs launch links. The first replica creates it; all replicas share it. */
@Injectable()
export class LaunchLinkKey {
  #key: Promise<Uint8Array> | null = null;

  constructor(@InjectRepository(SigningKey) private readonly keys: Repository<SigningKey>) {}

  get(): Promise<Uint8Array> {
    this.#key ??= this.loadOrCreate().catch((error: unknown) => {
      this.#key = null;
      throw error;
    });
    return this.#key;
  }

  private async loadOrCreate(): Promise<Uint8Array> {
    const insert = this.keys.createQueryBuilder().insert();
    await insert
      .values({ purpose, key: randomBytes(32) })
      .orIgnore()
      .execute();
    const { key } = await this.keys.findOneByOrFail({ purpose });
    return key;
  }
}
