import { accessCases } from './cases/access.ts';
import { addLearnersCases } from './cases/add-learners.ts';
import { apiKeyCases } from './cases/api-keys.ts';
import { courseCheckCases } from './cases/course-check.ts';
import { courseXmlCases } from './cases/course-xml.ts';
import { courseCases } from './cases/courses.ts';
import { customMergeCases } from './cases/custom-merge.ts';
import { deleteCases } from './cases/deletes.ts';
import { errorCases } from './cases/errors.ts';
import { fieldSelectionCases } from './cases/field-selection.ts';
import { formatCases } from './cases/formats.ts';
import { idempotencyCases } from './cases/idempotency.ts';
import { invitationCases } from './cases/invitations.ts';
import { jsonpAndCorsCases } from './cases/jsonp-cors.ts';
import { launchCases } from './cases/launches.ts';
import { licenseCases } from './cases/licenses.ts';
import { longValueCases } from './cases/long-values.ts';
import { pageCases } from './cases/pages.ts';
import { parameterCases } from './cases/parameters.ts';
import { problemCases } from './cases/problems.ts';
import { queryCases } from './cases/queries.ts';
import { realmUserCases } from './cases/realm-users.ts';
import { recordCases } from './cases/records.ts';
import { registrationCreateCases } from './cases/registration-create.ts';
import { registrationCases } from './cases/registrations.ts';
import { showCases } from './cases/shows.ts';
import { templateCases } from './cases/templates.ts';
import { valueCases } from './cases/values.ts';
import { userKeyCases } from './cases/user-keys.ts';
import { type ConformanceCase, conformanceCase } from './conformance-case.ts';
import { checkCoverage } from './coverage.ts';

/** The cases by area, each area from a file of its own. */
const areas: Readonly<Record<string, readonly ConformanceCase[]>> = {
  Formats: formatCases,
  Values: valueCases,
  Parameters: parameterCases,
  Access: accessCases,
  'User-bound keys': userKeyCases,
  'API keys': apiKeyCases,
  Records: [...recordCases, ...courseXmlCases],
  'Field selection and filters': fieldSelectionCases,
  'Pages of lists': pageCases,
  Courses: courseCases,
  'Course check': courseCheckCases,
  'Registration create': registrationCreateCases,
  'Registration index and update': registrationCases,
  'Registration launch_url': launchCases,
  Invitations: invitationCases,
  add_learners: addLearnersCases,
  Licenses: licenseCases,
  'Realm users': realmUserCases,
  'Custom data and existing clients': customMergeCases,
  'Long values': longValueCases,
  Templates: templateCases,
  'Stored queries': queryCases,
  'One record': showCases,
  Deletes: deleteCases,
  'JSONP and CORS': jsonpAndCorsCases,
  Errors: errorCases,
  'Problem details': problemCases,
  'Idempotency keys': idempotencyCases,
};

const namedCases = Object.entries(areas).flatMap(([area, cases]) =>
  cases.map((each) => ({ ...each, name: `${area}: ${each.name}` })),
);

/** The whole suite. Its first case fails when a rule of the contract is not covered. */
export const allCases: readonly ConformanceCase[] = [
  conformanceCase('every rule of the contract is covered', [], async () =>
    checkCoverage(namedCases),
  ),
  ...namedCases,
];
