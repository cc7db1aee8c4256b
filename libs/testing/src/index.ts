export * from './course-provider-port.ts';
export * from './databases.ts';
export * from './logs.ts';
export * from './running-system.ts';
export * from './services.ts';
export * from './simulated-account.ts';
export * from './simulated-provider.ts';
export * from './stand-in.ts';
