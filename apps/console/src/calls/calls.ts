import type * as z from 'zod';
import { createKey, listKeys, renewKey, revokeKey } from '../access/api-keys.calls.ts';
import { listAllAudit, listAudit } from '../access/audit.calls.ts';
import {
  createNewRealm,
  listAllRealms,
  rotateSecretOfRealm,
  setCompatibilityOfRealm,
  setLimitsOfRealm,
  showRealm,
  switchOneRealm,
} from '../access/realms.calls.ts';
import {
  deleteCourseOfRealm,
  deleteVersionOfCourse,
  listCourseApplications,
  listCourses,
  listVersionsOfCourse,
  previewCourseOfRealm,
  showCourse,
  showCourseSettings,
  showCourseUse,
} from '../courses/courses.calls.ts';
import {
  addLearnersToInvitation,
  listCoursesOfInvitation,
  listInvitationActs,
  listInvitations,
  listLearners,
  previewAddLearners,
  showInvitation,
} from '../invitations/invitations.calls.ts';
import { showApps, showCrawls, showFindings, showHistory } from '../overview/overview.calls.ts';
import {
  discardParkedEvent,
  inspectParkedEvent,
  listParkedEvents,
  replayParkedEvent,
} from '../parked-events/parked-events.calls.ts';
import {
  listAllApplications,
  listApplications,
  showApplication,
} from '../provider-applications/applications.calls.ts';
import {
  configureApplication,
  crawlApplication,
  listHistory,
} from '../provider-applications/crawls.calls.ts';
import {
  rotatePostbackPassword,
  showPostbackCredentials,
} from '../provider-applications/postbacks.calls.ts';
import {
  replaceSecret,
  rotateOwnSecret,
  testApplication,
} from '../provider-applications/secrets.calls.ts';
import {
  listRegistrations,
  previewRegistration,
  recrawlRegistration,
  showRegistration,
  showReport,
  showTimeline,
} from '../registrations/registrations.calls.ts';
import {
  checkReport,
  deleteReport,
  listReports,
  putReport,
  runReport,
  showReport as showStoredReport,
} from '../reports/reports.calls.ts';
import { findRealms, showSession } from '../session/session.calls.ts';

/** Every call, by its name: one line each, sorted. */
export const calls = {
  'api-keys.create': createKey,
  'api-keys.list': listKeys,
  'api-keys.renew': renewKey,
  'api-keys.revoke': revokeKey,
  'audit.list': listAudit,
  'audit.list-all': listAllAudit,
  'courses.delete': deleteCourseOfRealm,
  'courses.delete-version': deleteVersionOfCourse,
  'courses.list': listCourses,
  'courses.list-applications': listCourseApplications,
  'courses.list-versions': listVersionsOfCourse,
  'courses.preview': previewCourseOfRealm,
  'courses.show': showCourse,
  'courses.show-settings': showCourseSettings,
  'courses.show-use': showCourseUse,
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
  'provider-applications.configure': configureApplication,
  'provider-applications.crawl': crawlApplication,
  'provider-applications.history': listHistory,
  'provider-applications.list': listApplications,
  'provider-applications.list-all': listAllApplications,
  'provider-applications.replace-secret': replaceSecret,
  'provider-applications.rotate-own-secret': rotateOwnSecret,
  'provider-applications.rotate-postback': rotatePostbackPassword,
  'provider-applications.show': showApplication,
  'provider-applications.show-postback': showPostbackCredentials,
  'provider-applications.test': testApplication,
  'realms.create': createNewRealm,
  'realms.list': listAllRealms,
  'realms.rotate-secret': rotateSecretOfRealm,
  'realms.set-compatibility': setCompatibilityOfRealm,
  'realms.set-limits': setLimitsOfRealm,
  'realms.show': showRealm,
  'realms.switch': switchOneRealm,
  'registrations.list': listRegistrations,
  'registrations.preview': previewRegistration,
  'registrations.recrawl': recrawlRegistration,
  'registrations.show': showRegistration,
  'registrations.show-report': showReport,
  'registrations.show-timeline': showTimeline,
  'reports.check': checkReport,
  'reports.delete': deleteReport,
  'reports.list': listReports,
  'reports.put': putReport,
  'reports.run': runReport,
  'reports.show': showStoredReport,
  'session.find-realms': findRealms,
  'session.show': showSession,
} as const;

export type CallName = keyof typeof calls;

/** What the client sends with a call. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>;

/** What the client gets for a call, as JSON. */
export type CallReply<Name extends CallName> = Awaited<ReturnType<(typeof calls)[Name]['handle']>>;
