import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import {
  type AccessScope,
  createTemplate,
  deleteTemplate,
  indexTemplates,
  type TemplateRecord,
  templateRecord,
  updateTemplate,
} from '@registrar/contracts';
import { randomUUID } from 'node:crypto';
import { type CatalogFixture, scopeOf, startCatalogFixture } from '../catalog.fixture.ts';

const otherRealm = scopeOf({ realmId: 2, applicationIds: undefined });
const ofApplication = scopeOf({ applicationIds: [1] });
const ofUser = scopeOf({ email: 'learner@example.com' });

describe('templates', () => {
  let catalog: CatalogFixture;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  afterAll(() => catalog.stop());

  const newName = () => `template ${randomUUID()}`;

  const create = (
    name: string,
    parts: Partial<InputOf<typeof createTemplate>> = {},
  ): Promise<TemplateRecord> =>
    catalog.bus.request(createTemplate, {
      scope: scopeOf(),
      name,
      body: '<p>Hello</p>',
      markup: 'html',
      mimetype: 'text/html',
      ...parts,
    });

  const update = (
    template: InputOf<typeof updateTemplate>['template'],
    parts: Partial<InputOf<typeof updateTemplate>> = {},
  ): Promise<TemplateRecord> =>
    catalog.bus.request(updateTemplate, {
      scope: scopeOf(),
      template,
      name: null,
      body: null,
      markup: null,
      mimetype: null,
      ...parts,
    });

  const remove = (id: number, scope: AccessScope = scopeOf()): Promise<TemplateRecord> =>
    catalog.bus.request(deleteTemplate, { scope, id });

  const index = async (
    filters: InputOf<typeof indexTemplates>['filters'] = {},
    scope: AccessScope = scopeOf(),
    pageSize?: number,
  ): Promise<TemplateRecord[]> => {
    const found: TemplateRecord[] = [];
    for await (const { items: page } of catalog.bus.pages(
      indexTemplates,
      { scope, filters },
      pageSize,
    )) {
      found.push(...page);
    }
    return found;
  };

  it('templates are created with the given values and listed', async () => {
    const name = newName();
    const made = await create(name, { markup: null });
    expect(made).toEqual(templateRecord.parse(made));
    expect(made).toMatchObject({
      name,
      body: '<p>Hello</p>',
      markup: null,
      mimetype: 'text/html',
      realm_id: 1,
    });
    expect(await index({ name })).toEqual([made]);
  });

  it('templates are filtered by exact values of one and of several fields, page by page', async () => {
    const markup = randomUUID();
    const made = [
      await create(newName(), { markup, mimetype: 'text/plain' }),
      await create(newName(), { markup }),
      await create(newName(), { markup }),
    ];
    expect(await index({ markup })).toEqual(made);
    expect(await index({ markup }, scopeOf(), 1)).toEqual(made);
    expect(await index({ markup, mimetype: 'text/html' })).toEqual(made.slice(1));
    expect(await index({ markup, name: made[0]?.name ?? '' })).toEqual(made.slice(0, 1));
    expect(await index({ markup: markup.toUpperCase() })).toEqual([]);
  });

  it('templates have unique names within a realm', async () => {
    const name = newName();
    await create(name);
    await expect(create(name, { body: 'other' })).rejects.toMatchObject({ code: 'unchanged' });
    expect(await index({ name })).toMatchObject([{ body: '<p>Hello</p>' }]);
    expect(await create(name, { scope: otherRealm })).toMatchObject({ realm_id: 2 });
  });

  it('templates are created once by concurrent creates of the same name', async () => {
    const name = newName();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => create(name)));
    const failures = outcomes.filter(({ status }) => status === 'rejected');
    expect(failures).toHaveLength(7);
    for (const failure of failures) {
      expect(failure).toMatchObject({ reason: { code: 'unchanged' } });
    }
    expect(await index({ name })).toHaveLength(1);
  });

  it('templates are updated by id and by name with the given values only', async () => {
    const name = newName();
    const made = await create(name);
    const first = await update({ by: 'id', id: made.id }, { body: 'new' });
    expect(first).toMatchObject({ id: made.id, name, body: 'new', markup: 'html' });
    const renamed = newName();
    const second = await update({ by: 'name', name }, { name: renamed, mimetype: 'text/plain' });
    expect(second).toMatchObject({
      id: made.id,
      name: renamed,
      body: 'new',
      mimetype: 'text/plain',
    });
    expect(await index({ name: renamed })).toEqual([second]);
    await expect(update({ by: 'name', name }, { body: 'x' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('templates cannot get the name of another template', async () => {
    const [one, two] = [await create(newName()), await create(newName())];
    await expect(update({ by: 'id', id: one.id }, { name: two.name })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('templates are deleted once, and their names are free again', async () => {
    const name = newName();
    const made = await create(name);
    const outcomes = await Promise.allSettled([remove(made.id), remove(made.id)]);
    expect(outcomes).toContainEqual({ status: 'fulfilled', value: made });
    expect(outcomes).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'not-found' }),
    });
    expect(await index({ name })).toEqual([]);
    await expect(update({ by: 'id', id: made.id })).rejects.toMatchObject({ code: 'not-found' });
    expect((await create(name)).id).not.toBe(made.id);
  });

  it('templates are not accessible to other realms', async () => {
    const { id, name } = await create(newName());
    expect(await index({ name }, otherRealm)).toEqual([]);
    for (const template of [{ by: 'id', id } as const, { by: 'name', name } as const]) {
      await expect(update(template, { scope: otherRealm, body: 'x' })).rejects.toMatchObject({
        code: 'not-found',
      });
    }
    await expect(remove(id, otherRealm)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('templates are readable but not writable for a user-bound key, and neither for a provider pair', async () => {
    const made = await create(newName());
    const refused = { code: 'unauthenticated' };
    expect(await index({ name: made.name }, ofUser)).toEqual([made]);
    await expect(index({}, ofApplication)).rejects.toMatchObject(refused);
    for (const scope of [ofUser, ofApplication]) {
      await expect(create(newName(), { scope })).rejects.toMatchObject(refused);
      await expect(update({ by: 'id', id: made.id }, { scope })).rejects.toMatchObject(refused);
      await expect(remove(made.id, scope)).rejects.toMatchObject(refused);
    }
  });
});
