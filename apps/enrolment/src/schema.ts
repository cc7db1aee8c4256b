import { type ContextSchema } from '@registrar/persistence';
import { busMigrations } from '@registrar/bus';
import { Course } from './courses/course.entity.ts';
import { CrawledApplication } from './registrations/crawled-application.entity.ts';
import { RegistrationCount } from './registrations/registration-count.entity.ts';
import { RegistrationCountChange } from './registrations/registration-count-change.entity.ts';
import { Realm } from './registrations/realm.entity.ts';
import { Registration } from './registrations/registration.entity.ts';
import { SweptPage } from './registrations/swept-page.entity.ts';
import { InvitationCourse } from './invitations/invitation-course.entity.ts';
import { InvitationLearner } from './invitations/invitation-learner.entity.ts';
import { InvitationRegistration } from './invitations/invitation-registration.entity.ts';
import { InvitationSeats } from './invitations/invitation-seats.entity.ts';
import { Invitation } from './invitations/invitation.entity.ts';
import { StoredQuery } from './queries/stored-query.entity.ts';
import { Enrolment1790000000000 } from './migrations/1790000000000-enrolment.migration.ts';

/** Enrolment's part of the database. */
export const enrolmentSchema: ContextSchema = {
  name: 'enrolment',
  entities: [
    Course,
    CrawledApplication,
    Realm,
    Registration,
    RegistrationCount,
    RegistrationCountChange,
    SweptPage,
    Invitation,
    InvitationCourse,
    InvitationLearner,
    InvitationRegistration,
    InvitationSeats,
    StoredQuery,
  ],
  migrations: [...busMigrations, Enrolment1790000000000],
};
