import {
  type AuthenticationHeaders,
  MessageAuthenticator,
} from '../authentication/message-authenticator.ts';
import type { BusKeys } from '../authentication/bus-keys.ts';

/** Returns a function from the content of a message to its headers, for an app that has `keys`. */
export function messageHeaders(
  keys: BusKeys,
  message: { kind: 'request' | 'event' | 'broadcast'; sender: string; destination: string },
): (content: Buffer) => AuthenticationHeaders {
  const authenticator = new MessageAuthenticator(message.sender, keys);
  return (content) => authenticator.authenticate(message.kind, message.destination, content);
}
