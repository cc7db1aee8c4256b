import { type ContextSchema } from '@registrar/persistence';
import { busMigrations } from '@registrar/bus';
import { Courses1760000000000 } from './migrations/1760000000000-courses.migration.ts';
import { Registrations1760000000001 } from './migrations/1760000000001-registrations.migration.ts';
import { Invitations1760000000100 } from './migrations/1760000000100-invitations.migration.ts';
import { WaitingRegistrations1760000000101 } from './migrations/1760000000101-waiting-registrations.migration.ts';
import { RegistrationPatterns1760000000200 } from './migrations/1760000000200-registration-patterns.migration.ts';
import { StoredQueries1760000000201 } from './migrations/1760000000201-stored-queries.migration.ts';
import { ReportViews1760000000202 } from './migrations/1760000000202-report-views.migration.ts';
import { InvitationsByRealm1760000000210 } from './migrations/1760000000210-invitations-by-realm.migration.ts';
import { SweptRegistrations1760000000211 } from './migrations/1760000000211-swept-registrations.migration.ts';
import { SeatsTaken1760000000212 } from './migrations/1760000000212-seats-taken.migration.ts';
import { BigintIds1760000000220 } from './migrations/1760000000220-bigint-ids.migration.ts';
import { OpenLaunches1760000000230 } from './migrations/1760000000230-open-launches.migration.ts';
import { ReportColumns1760000000240 } from './migrations/1760000000240-report-columns.migration.ts';
import { EndedLaunches1760000000250 } from './migrations/1760000000250-ended-launches.migration.ts';
import { RealmLaunches1760000000260 } from './migrations/1760000000260-realm-launches.migration.ts';
import { OwnersOfResults1760000000280 } from './migrations/1760000000280-owners-of-results.migration.ts';
import { SizesOfResults1760000000270 } from './migrations/1760000000270-sizes-of-results.migration.ts';
import { CourseKeys1760000000290 } from './migrations/1760000000290-course-keys.migration.ts';
import { IndexesOfRegistrationKeys1760000000291 } from './migrations/1760000000291-indexes-of-registration-keys.migration.ts';
import { RegistrationKeys1760000000292 } from './migrations/1760000000292-registration-keys.migration.ts';
import { UnchangedResults1760000000300 } from './migrations/1760000000300-unchanged-results.migration.ts';
import { Course } from './courses/course.entity.ts';
import { CrawledApplication } from './registrations/crawled-application.entity.ts';
import { Realm } from './registrations/realm.entity.ts';
import { Registration } from './registrations/registration.entity.ts';
import { SweptPage } from './registrations/swept-page.entity.ts';
import { InvitationCourse } from './invitations/invitation-course.entity.ts';
import { InvitationLearner } from './invitations/invitation-learner.entity.ts';
import { InvitationRegistration } from './invitations/invitation-registration.entity.ts';
import { InvitationSeats } from './invitations/invitation-seats.entity.ts';
import { Invitation } from './invitations/invitation.entity.ts';
import { StoredQuery } from './queries/stored-query.entity.ts';

/** Enrolment's part of the database. */
export const enrolmentSchema: ContextSchema = {
  name: 'enrolment',
  entities: [
    Course,
    CrawledApplication,
    Realm,
    Registration,
    SweptPage,
    Invitation,
    InvitationCourse,
    InvitationLearner,
    InvitationRegistration,
    InvitationSeats,
    StoredQuery,
  ],
  migrations: [
    ...busMigrations,
    Courses1760000000000,
    Registrations1760000000001,
    Invitations1760000000100,
    WaitingRegistrations1760000000101,
    RegistrationPatterns1760000000200,
    StoredQueries1760000000201,
    ReportViews1760000000202,
    InvitationsByRealm1760000000210,
    SweptRegistrations1760000000211,
    SeatsTaken1760000000212,
    BigintIds1760000000220,
    OpenLaunches1760000000230,
    ReportColumns1760000000240,
    EndedLaunches1760000000250,
    RealmLaunches1760000000260,
    SizesOfResults1760000000270,
    OwnersOfResults1760000000280,
    CourseKeys1760000000290,
    IndexesOfRegistrationKeys1760000000291,
    RegistrationKeys1760000000292,
    UnchangedResults1760000000300,
  ],
};
