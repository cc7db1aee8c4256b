import { eventually } from '@registrar/testing';
import { createRequire } from 'node:module';
import type { Client, ImportJob } from './provider.fixture.ts';

type Callback = (error: (Error & { status?: number }) | null, data: unknown) => void;
type Operation = (...parameters: [...unknown[], Callback]) => void;
type Api = new (client: ApiClient) => Record<string, Operation>;
type ApiName =
  | 'AboutApi'
  | 'ApplicationManagementApi'
  | 'AuthenticationApi'
  | 'CourseApi'
  | 'LearnerApi'
  | 'PingApi'
  | 'RegistrationApi';

/** The part of SCORM Cloud's JavaScript client that is used here. It has no types. */
interface ApiClient {
  basePath: string;
  authentications: Record<string, { username?: string; password?: string }>;
}
const rustici = createRequire(import.meta.url)(
  '@rusticisoftware/scormcloud-api-v2-client-javascript',
) as {
  readonly ApiClient: new () => ApiClient;
  readonly PostBackSchema: new () => object;
} & Record<ApiName, Api>;

/** Calls methods of SCORM Cloud's JavaScript client. */
export class OfficialClient {
  readonly #client = new rustici.ApiClient();

  constructor(baseUrl: string, credentials: Pick<Client, 'appId' | 'secretKey'> | null) {
    this.#client.basePath = `${baseUrl}/api/v2`;
    if (!credentials) return;
    const { appId: username, secretKey: password } = credentials;
    const basic = this.#client.authentications['APP_NORMAL'];
    this.#client.authentications['APP_NORMAL'] = { ...basic, username, password };
  }

  /** Rejects with an error that has the `status` of the response. */
  call<Data = unknown>(api: ApiName, method: string, ...parameters: unknown[]): Promise<Data> {
    const instance = new rustici[api](this.#client);
    return new Promise((resolve, reject) => {
      instance[method]!(...parameters, (error, data) => {
        if (error) reject(error);
        else resolve(data as Data);
      });
    });
  }

  /** Waits until an import job has ended. */
  importEnd(jobId: string): Promise<ImportJob> {
    return eventually('the import has ended', async () => {
      const job = await this.call<ImportJob>('CourseApi', 'getImportJobStatus', jobId);
      return job.status !== 'RUNNING' && job;
    });
  }
}

/** Makes a postback as the client sends it. */
export const postBackOf = (fields: object): object =>
  Object.assign(new rustici.PostBackSchema(), fields);
