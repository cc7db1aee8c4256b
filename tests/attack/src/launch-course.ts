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
  tenant: Tenant,
  courseGuid: string,
): Promise<LaunchedCourse> {
  const registration = await registerLearner(client, tenant, courseGuid);
  return { registration, link: await launchLink(client, tenant, registration) };
}

/** Registers a new learner for a course. @returns the registration */
export async function registerLearner(
  client: HttpClient,
  { pair }: Tenant,
  courseGuid: string,
): Promise<string> {
  const learner = { course_guid: courseGuid, learner_id: `${randomUUID()}@example.com` };
  const created = await client.call('/registration.json', { body: form({ ...pair, ...learner }) });
  const { registration_guid: registration } = JSON.parse(created.text) as {
    registration_guid: string;
  };
  return registration;
}

/** Requests a launch link of a registration. */
export async function launchLink(
  client: HttpClient,
  { pair }: Tenant,
  registration: string,
): Promise<string> {
  const path = `/registration/${registration}/launch_url.json?${form(pair).toString()}`;
  const { launch_url: link } = JSON.parse((await client.call(path)).text) as { launch_url: string };
  return link;
}

/** Returns the URL of a file of the course that is open in a window. */
export async function contentUrl(
  client: HttpClient,
  window: string,
  file: string,
): Promise<string> {
  const { text } = await client.send(new URL('course', window).href);
  const { content } = JSON.parse(text) as { content: string };
  return new URL(content + file, window).href;
}

/** Follows a launch link. @returns the address of the window that it opens, or null */
export async function openLink(client: HttpClient, link: string): Promise<string | null> {
  const { status, headers } = await client.send(link);
  return status === 303 ? new URL(String(headers['location']), link).href : null;
}
