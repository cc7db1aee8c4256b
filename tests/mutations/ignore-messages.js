/**
 * Ignores the messages of errors, which are written for the log: no decision depends on them, and suites assert
 * the code of a failure.
 */
const messages = {
  shouldIgnore({ key, parent }) {
    const isMessage =
      parent?.type === 'NewExpression' &&
      ((['Failure', 'GatewayError'].includes(parent.callee.name) && key === 1) ||
        (parent.callee.name === 'Error' && key === 0));
    return isMessage
      ? 'The message of an error is for the log; no decision depends on it.'
      : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'messages', value: messages }];
