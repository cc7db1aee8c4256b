import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineOperation, type Method } from './operation.ts';

describe('an operation', () => {
  const traits = { name: 'thing index', summary: 'Lists things.', record: null };
  const execute = () => Promise.reject(new Error('not called'));
  const define = (...methods: Method[]) => {
    const routes = methods.map((method) => ({ method, path: '/thing' }));
    return { ...traits, routes, execute };
  };

  it.each<[Method[], boolean, string]>([
    [['GET'], false, 'read'],
    [['GET', 'GET'], false, 'read'],
    [['POST'], true, 'write'],
    [['PUT'], true, 'write'],
    [['DELETE'], true, 'write'],
    [['GET', 'POST'], true, 'write'],
  ])(
    'an operation with the methods %j writes: %s, and needs the permission %s',
    (methods, ...of) => {
      const { writes, permission } = defineOperation(define(...methods));
      expect([writes, permission]).toEqual(of);
    },
  );

  it('an operation that says so writes nothing in spite of its methods, or needs another permission or none', () => {
    const permissionOf = (more: object) =>
      defineOperation({ ...define('POST'), ...more }).permission;
    expect(permissionOf({ writes: false })).toBe('read');
    expect(permissionOf({ permission: 'launch' })).toBe('launch');
    expect(permissionOf({ permission: null })).toBeNull();
  });

  it('an operation keeps its definition, and has no parameters by default', () => {
    const definition = define('GET');
    const { parameters, ...rest } = defineOperation(definition);
    expect(rest).toEqual({ ...definition, writes: false, permission: 'read' });
    expect(parameters.shape).toEqual({});
    const named = z.object({ name: z.string() });
    expect(defineOperation({ ...definition, parameters: named }).parameters).toBe(named);
  });
});
