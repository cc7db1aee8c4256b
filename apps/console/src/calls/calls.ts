import type * as z from 'zod';
import { showApps, showCrawls, showFindings, showHistory } from '../overview/overview.calls.ts';
import {
  addLearnersToInvitation,
  listCoursesOfInvitation,
  listInvitationActs,
  listInvitations,
  listLearners,
  previewAddLearners,
  showInvitation,
} from '../invitations/invitations.calls.ts';
import {
  discardParkedEvent,
  inspectParkedEvent,
  listParkedEvents,
  replayParkedEvent,
} from '../parked-events/parked-events.calls.ts';
import {
  listRegistrations,
  previewRegistration,
  recrawlRegistration,
  showRegistration,
  showReport,
  showTimeline,
} from '../registrations/registrations.calls.ts';
import { findRealms, showSession } from '../session/session.calls.ts';

/** Every call, by its name: one line each, sorted. */
export const calls = {
  'invitations.add-learners': addLearnersToInvitation,
  'invitations.list': listInvitations,
  'invitations.list-acts': listInvitationActs,
  'invitations.list-courses': listCoursesOfInvitation,
  'invitations.list-learners': listLearners,
  'invitations.preview-learners': previewAddLearners,
  'invitations.show': showInvitation,
  'overview.apps': showApps,
  'overview.crawls': showCrawls,
  'overview.findings': showFindings,
  'overview.history': showHistory,
  'parked-events.discard': discardParkedEvent,
  'parked-events.inspect': inspectParkedEvent,
  'parked-events.list': listParkedEvents,
  'parked-events.replay': replayParkedEvent,
  'registrations.list': listRegistrations,
  'registrations.preview': previewRegistration,
  'registrations.recrawl': recrawlRegistration,
  'registrations.show': showRegistration,
  'registrations.show-report': showReport,
  'registrations.show-timeline': showTimeline,
  'session.find-realms': findRealms,
  'session.show': showSession,
} as const;

export type CallName = keyof typeof calls;

/** What the client sends with a call. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>;

/** What the client gets for a call, as JSON. */
export type CallReply<Name extends CallName> = Awaited<ReturnType<(typeof calls)[Name]['handle']>>;
