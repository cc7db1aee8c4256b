import { randomBytes } from 'node:crypto';
import type { InputOf } from '@registrar/bus';
import {
  changeRealmCompatibility,
  createProviderApplication,
  createRealm,
  putApplication,
} from '@registrar/contracts';
import { Installation, type Parameters, recordOf, recordsOf } from '@registrar/conformance';
import type { RunningSystem } from '@registrar/standalone/testing';
import { asOperator } from '../operator.ts';

type Settings = Omit<InputOf<typeof changeRealmCompatibility>, 'realmGuid'>;

/** A realm of its own with two provider applications, of which the second holds no courses. */
export class RealmOfClients extends Installation {
  private constructor(
    private readonly system: RunningSystem,
    facts: Installation['facts'],
    /** The pair of the second provider application. */
    readonly otherApplication: Parameters,
  ) {
    super(facts);
  }

  static async create(system: RunningSystem): Promise<RealmOfClients> {
    return asOperator(system, async (bus) => {
      const name = `clients-${randomBytes(4).toString('hex')}`;
      const { realmGuid, realmSecretKey } = await bus.request(createRealm, { name });
      const addApplication = async (number: number) => {
        const account = {
          appId: `${name}-${number}`,
          name,
          secretKey: randomBytes(8).toString('hex'),
        };
        await bus.request(putApplication, { ...account, registrationLimit: null });
        const application = { realmGuid, ...account, baseUrl: system.providerUrl };
        await bus.request(createProviderApplication, application);
        return { sc_app_id: account.appId, sc_secret_key: account.secretKey };
      };
      const facts = {
        base_url: system.quickstart.base_url,
        realm_guid: realmGuid,
        realm_secret_key: realmSecretKey,
        course_guid: '',
        ...(await addApplication(1)),
      };
      return new RealmOfClients(system, facts, await addApplication(2));
    });
  }

  /** Changes the clients that the realm serves, as `registrar realm set` does. */
  async set(changes: Partial<Settings>): Promise<void> {
    const { realm_guid: realmGuid } = this.facts;
    const settings = { clients: null, userLicenses: null, ...changes };
    await asOperator(this.system, (bus) =>
      bus.request(changeRealmCompatibility, { realmGuid, ...settings }),
    );
  }

  /** The token of a user-bound key, as clients send it. */
  async accessToken(user_email: string): Promise<Parameters> {
    const { api_key } = await this.userKey(user_email);
    return { accessToken: String(api_key) };
  }

  /** The courses in the index of a user-bound key. */
  async coursesOf(access: Parameters, more: Parameters = {}) {
    return recordsOf(await this.api.get('/course.json', { ...access, ...more }));
  }

  async createInvitation(more: Parameters, access = this.realm) {
    return recordOf(await this.api.post('/invitation.json', { ...access, ...more }), 201);
  }
}
