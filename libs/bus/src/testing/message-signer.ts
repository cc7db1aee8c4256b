import {
  type AuthenticationHeaders,
  MessageAuthenticator,
} from '../authentication/message-authenticator.ts';
import type { BusKeys } from '../authentication/bus-keys.ts';

/** Returns a function that signs the content of messages as an app that has `keys` does. */
export function messageSigner(
  keys: BusKeys,
  message: { kind: 'request' | 'event' | 'broadcast'; sender: string; destination: string },
): (content: Buffer) => AuthenticationHeaders {
  const authenticator = new MessageAuthenticator(message.sender, keys);
  return (content) => authenticator.sign(message.kind, message.destination, content);
}
