export { asks as operatorAsks } from './asks.ts';
export * from './quickstart.ts';
export * from './welcome.ts';
