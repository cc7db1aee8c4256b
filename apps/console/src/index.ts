export { type CallInput, type CallName, type CallReply, calls } from './calls/calls.ts';
