import { type ArrivingEvent, arrivingEvent, isPublishedBy } from '../inbox.ts';
import { readJson } from '../message-content.ts';
import {
  type ArrivedMessage,
  type MessageAuthenticator,
  type MessageFault,
  MessageRejected,
} from './message-authenticator.ts';

/**
 * Returns the event of an authentic message; null if the message is not an event.
 *
 * @throws {MessageRejected} also when the event is not the sender's
 */
export function authenticEvent(
  authenticator: MessageAuthenticator,
  message: ArrivedMessage,
): ArrivingEvent | null {
  const { sender } = authenticator.verify('event', message);
  const event = readJson(arrivingEvent, message.content);
  if (event && !isPublishedBy(event, sender)) throw new MessageRejected('forbidden', sender);
  return event;
}

const keyFaults: readonly MessageFault[] = ['unknown-sender', 'wrong-destination'];

/** Whether the message may be authentic, and this app lacks a key with which it could verify it. */
export const isKeyFault = ({ reason }: MessageRejected): boolean => keyFaults.includes(reason);
