/**
 * Whether the process checks what only a defect can violate: replies and rows against their schemas,
 * requests against the contexts that their app declares. True when `NODE_ENV` is `development` or
 * `test`. In production nothing is checked, and the checks cost nothing.
 */
export const runtimeChecks = ['development', 'test'].includes(process.env['NODE_ENV'] ?? '');
