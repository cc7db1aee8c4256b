import { sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { ConsoleDatabase } from '../console-database.ts';
import { hashToken, newToken } from '../sessions/tokens.ts';

/** The time in which a link can be used: minutes. */
const validMinutes = 15;

/** Links that sign an operator in, once each. Only hashes of their tokens are stored. */
@Injectable()
export class SignInLinks {
  constructor(private readonly database: ConsoleDatabase) {}

  /** Creates a link, and returns its token. */
  async create(): Promise<string> {
    const token = newToken();
    await this.database.execute(
      sql`INSERT INTO sign_in_links (token_hash, ends_at)
          VALUES (${hashToken(token)}, now() + make_interval(mins => ${validMinutes}))`,
    );
    return token;
  }

  /** Uses a link up. Returns false for one that was used before, is too old or never was. */
  async redeem(token: string): Promise<boolean> {
    const redeemed = await this.database.execute(
      sql`DELETE FROM sign_in_links WHERE token_hash = ${hashToken(token)} AND ends_at > now()`,
    );
    return redeemed === 1;
  }
}
