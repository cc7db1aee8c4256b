export * from './delete-namespace.ts';
export * from './stub-context.ts';
export * from './start-bus-app.ts';
export * from './handled-messages.ts';
export * from './arrived-events.ts';
