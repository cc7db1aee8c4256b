import fastify from 'fastify';
import {
  insertRegistration,
  listCourses,
  listCoursesOfLearner,
  listRegistrations,
  openPool,
  type RegistrationKey,
} from './queries.ts';

/**
 * The baseline **bare**: one Fastify process with `pg`. It returns the same JSON from the same tables, and
 * has no bus, no access check and no other format.
 */
const pool = openPool(process.env['DATABASE_URL'] ?? '');
const server = fastify();

/** The parameters of {@link RegistrationKey}, as a query string or a form has them. */
interface Given {
  readonly application: string;
  readonly course_guid: string;
  readonly learner_id: string;
}
const keyOf = ({ application, course_guid, learner_id }: Given): RegistrationKey => ({
  applicationId: Number(application),
  courseGuid: course_guid,
  learnerId: learner_id,
});

server.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
);
server.get<{ Querystring: Given }>('/course.json', ({ query }) =>
  listCourses(pool, Number(query.application)),
);
server.get<{ Querystring: Given }>('/course-of-learner.json', ({ query }) =>
  listCoursesOfLearner(pool, keyOf(query)),
);
server.get<{ Querystring: Given }>('/registration.json', ({ query }) =>
  listRegistrations(pool, keyOf(query)),
);
server.post<{ Body: Given }>('/registration.json', ({ body }, reply) => {
  reply.code(201);
  return insertRegistration(pool, keyOf(body));
});

process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }));
