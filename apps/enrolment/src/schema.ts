import { type ContextSchema } from '#libs/persistence';
import { busMigrations } from '#libs/bus';
import { Courses1760000000000 } from './migrations/1760000000000-courses.ts';
import { Registrations1760000000001 } from './migrations/1760000000001-registrations.ts';
import { Invitations1760000000100 } from './migrations/1760000000100-invitations.ts';
import { WaitingRegistrations1760000000101 } from './migrations/1760000000101-waiting-registrations.ts';
import { RegistrationPatterns1760000000200 } from './migrations/1760000000200-registration-patterns.ts';
import { StoredQueries1760000000201 } from './migrations/1760000000201-stored-queries.ts';
import { ReportViews1760000000202 } from './migrations/1760000000202-report-views.ts';
import { InvitationsByRealm1760000000210 } from './migrations/1760000000210-invitations-by-realm.ts';
import { SweptRegistrations1760000000211 } from './migrations/1760000000211-swept-registrations.ts';
import { SeatsTaken1760000000212 } from './migrations/1760000000212-seats-taken.ts';

/** Enrolment's part of the database. Its tables are written and read as SQL text. */
export const enrolmentSchema: ContextSchema = {
  name: 'enrolment',
  entities: [],
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
  ],
};
