/** Suites can step the process's clock, and nothing else that tells the time. */
const outsideTheClock = [
  "CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "ImportDeclaration[source.value='node:timers/promises'] ImportSpecifier[imported.name='setTimeout']",
];

/** Reports reads of the time that do not go through `clock` of @registrar/platform. */
export const useClock = {
  meta: {
    type: 'problem',
    docs: { description: 'require times to come from `clock` of @registrar/platform' },
    schema: [],
    messages: { clock: 'Use `clock` of @registrar/platform.' },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'clock' });
    return Object.fromEntries(outsideTheClock.map((selector) => [selector, report]));
  },
};
