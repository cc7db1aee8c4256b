import * as z from 'zod';
import type { FuzzRealm, ItemKind } from './fuzz-realm.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { Answer } from './sender.ts';

/** The kind of item that operations of a resource create, and the field that names it. */
const created: Readonly<Record<string, readonly [ItemKind, string]>> = {
  api_key: ['key', 'id'],
  course: ['course', 'course_guid'],
  registration: ['registration', 'registration_guid'],
  invitation: ['invitation', 'id'],
  template: ['template', 'id'],
  realm_user: ['realm user', 'email'],
};

const record = z.record(z.string(), z.unknown());

/** Keeps what a request created, for requests that name or delete it. */
export function recordCreated({ operation, realm }: FuzzRequest, answer: Answer): void {
  const isJson = answer.headers['content-type']?.startsWith('application/json');
  if (!operation || !isJson || answer.status >= 300 || answer.body.length > 10_000) return;
  const { resource, name } = operation;
  const isCreated = answer.status === 201;
  if (!isCreated && !/launch_url|launchLink|upload/.test(name)) return;
  const parsed = record.safeParse(JSON.parse(answer.body.toString('utf8')));
  if (!parsed.success) return;
  const text = (field: string) =>
    ['string', 'number'].includes(typeof parsed.data[field]) ? String(parsed.data[field]) : null;
  const keep = (list: string[], value: string | null) => {
    if (value !== null) list.push(value);
  };
  keep(realm.launchUrls, text('launch_url') ?? launchLink(text('launchLink')));
  keep(realm.jobs, text('result'));
  if (!isCreated) return;
  keep(realm.spareKeys, text('access_token'));
  const [kind, field] = created[resource] ?? [];
  if (kind && field) keep(realm.spares[kind], text(field));
}

const launchLink = (url: string | null) => (url?.startsWith('http') ? url : null);

const reopening = new WeakMap<FuzzRealm, Promise<void>>();

/** Opens the course window of a realm again, once for all requests that found it closed. */
export function reopenWindow(realm: FuzzRealm): Promise<void> {
  const pending =
    reopening.get(realm) ??
    realm
      .openWindow()
      .then(
        (window) => void (realm.window = window),
        // Another request has ended the launch meanwhile; the next one opens it again.
        () => undefined,
      )
      .finally(() => reopening.delete(realm));
  reopening.set(realm, pending);
  return pending;
}
