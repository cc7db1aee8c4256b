import type { RegistrarClient } from '@registrar/client';
import { type ClientPage, openClientPage } from '@registrar/e2e/client-page';
import { realmClient } from '@registrar/e2e/realm-client';
import { startStandaloneSystem, type StartedSystem } from '@registrar/standalone/testing';
import { findChromium, highRequestLimits } from '@registrar/testing';
import { openBrowser } from '@registrar/testing/browser';
import type { Browser } from 'playwright-core';
import * as z from 'zod';

/** The parts of a registration's record at the provider that the program compares. */
const activity = z.object({
  id: z.string(),
  activityCompletion: z.string(),
  activitySuccess: z.string(),
  suspended: z.boolean(),
  runtime: z
    .object({
      totalTime: z.string(),
      suspendData: z.string().optional(),
      runtimeInteractions: z.array(z.object({ id: z.string() })),
      runtimeObjectives: z.array(z.object({ id: z.string() })),
    })
    .optional(),
});
const registrationDetails = z.object({
  registrationCompletion: z.string(),
  registrationSuccess: z.string(),
  score: z.object({ scaled: z.number() }).optional(),
  activityDetails: z.object({ children: z.array(activity) }),
});
export type RegistrationDetails = z.output<typeof registrationDetails>;

const launchHistory = z.object({
  launchHistory: z.array(z.object({ exitTime: z.string().optional() })),
});

const allDetails = new URLSearchParams({
  includeChildResults: 'true',
  includeRuntime: 'true',
  includeInteractionsAndObjectives: 'true',
}).toString();

/** A client's record of a registration, as far as the program compares it. */
export interface ClientRecord {
  readonly complete: string;
  readonly success: string;
  readonly score: number | null;
}

/** A running standalone form with its own course provider, a client of its API, and a browser. */
export class Installation {
  private constructor(
    private readonly system: StartedSystem,
    private readonly client: RegistrarClient,
    readonly browser: Browser,
    readonly clientPage: ClientPage,
  ) {}

  /** @param resources receives everything that must be disposed of */
  static async start(resources: AsyncDisposableStack): Promise<Installation> {
    const chromium = findChromium();
    if (!chromium.available) throw new Error(chromium.reason);
    const system = resources.adopt(await startStandaloneSystem(highRequestLimits), (each) =>
      each.dispose(),
    );
    const browser = resources.adopt(await openBrowser(chromium.handle), (each) => each.close());
    const clientPage = resources.adopt(await openClientPage(), (each) => each.close());
    return new Installation(system, realmClient(system), browser, clientPage);
  }

  /** Imports a package as a course with that id. */
  async importCourse(courseId: string, zip: Buffer): Promise<void> {
    const file = new Blob([new Uint8Array(zip)]);
    await this.client.courses.create({ course_guid: courseId, file });
  }

  /** Enrols a learner. @returns the registration */
  async enrol(courseId: string, learner: string): Promise<string> {
    const created = await this.client.registrations.create({
      course_guid: courseId,
      learner_id: learner,
    });
    return created.registration_guid;
  }

  /** Returns a launch URL, after which the learner comes back to the client's page. */
  async launchUrl(registration: string): Promise<string> {
    const { launch_url } = await this.client.registrations.launchUrl({
      registration_guid: registration,
      redirect_url: this.clientPage.url,
    });
    return launch_url;
  }

  /** Reads a registration through the API, as its client does. */
  async record(
    registration: string,
    how: 'crawl' | 'refresh_if_launched' = 'refresh_if_launched',
  ): Promise<ClientRecord> {
    const list = this.client.registrations.list({ registration_guid: registration, [how]: true });
    const { value } = await list.next();
    if (!value) throw new Error(`the API does not list registration ${registration}`);
    return { complete: value.complete, success: value.success, score: value.score };
  }

  /** Reads a registration at the provider, with its run-time data. */
  async details(registration: string): Promise<RegistrationDetails> {
    return registrationDetails.parse(await this.#provider(`${registration}?${allDetails}`));
  }

  /** Whether the course window of the newest launch has been left, by what it reported to the provider. */
  async hasLeft(registration: string): Promise<boolean> {
    const answer = await this.#provider(`${registration}/launchHistory`);
    return launchHistory.parse(answer).launchHistory[0]?.exitTime !== undefined;
  }

  async #provider(path: string): Promise<unknown> {
    const { sc_app_id: id, sc_secret_key: secret } = this.system.quickstart;
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const url = `${this.system.providerUrl}/api/v2/registrations/${path}`;
    const response = await fetch(url, { headers: { authorization } });
    if (!response.ok) throw new Error(`the provider returned ${response.status} for ${path}`);
    return response.json();
  }
}
