import { randomUUID } from 'node:crypto';
import { form, type HttpClient } from './http-client.ts';
import type { Tenant } from './tenant.ts';

/** A launch link, and the registration that it opens. */
export interface LaunchedCourse {
  readonly registration: string;
  readonly link: string;
}

/** Registers a new learner for a course, and requests a launch link. */
export async function launchCourse(
  client: HttpClient,
  { pair }: Tenant,
  courseGuid: string,
): Promise<LaunchedCourse> {
  const learner = { course_guid: courseGuid, learner_id: `${randomUUID()}@example.com` };
  const created = await client.call('/registration.json', { body: form({ ...pair, ...learner }) });
  const { registration_guid: registration } = JSON.parse(created.text) as {
    registration_guid: string;
  };
  const path = `/registration/${registration}/launch_url.json?${form(pair).toString()}`;
  const { launch_url: link } = JSON.parse((await client.call(path)).text) as { launch_url: string };
  return { registration, link };
}

/** Follows a launch link. @returns the address of the window that it opens, or null */
export async function openLink(client: HttpClient, link: string): Promise<string | null> {
  const { status, headers } = await client.send(link);
  return status === 303 ? new URL(String(headers['location']), link).href : null;
}
