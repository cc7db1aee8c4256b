import { describe, expect, it } from 'vitest';
import { auditActions, auditActor } from '@registrar/contracts';
import { actorKinds, auditActionNames, auditInput, auditSearch } from './audit-search.ts';

describe('the search of the audit log', () => {
  it('the search of the audit log knows every act and every kind of actor', () => {
    expect(auditActionNames).toEqual(auditActions.toSorted());
    expect(actorKinds).toEqual(auditActor.shape.kind.options.toSorted());
  });

  it('the search of the audit log reads days as the reader’s, the last one included', () => {
    const { since, until } = auditInput(
      auditSearch.parse({ from: '2026-02-03', to: '2026-02-03' }),
    );
    expect(since).toBe(new Date(2026, 1, 3).toISOString());
    expect(until).toBe(new Date(2026, 1, 4).toISOString());
    expect(auditInput(auditSearch.parse({}))).toEqual({
      since: null,
      until: null,
      action: null,
      actor: null,
      actorName: null,
      key: null,
      cursor: null,
    });
  });

  it('the search of the audit log ignores what an address should not have', () => {
    const given = { from: 'yesterday', action: 'made-up', actor: 'nobody', key: 'x', user: 'ada' };
    expect(auditSearch.parse(given)).toEqual({ user: 'ada' });
  });
});
