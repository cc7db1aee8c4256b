import { accessCases } from './cases/access.ts';
import { addLearnersCases } from './cases/add-learners.ts';
import { apiKeyCases } from './cases/api-keys.ts';
import { courseXmlCases } from './cases/course-xml.ts';
import { courseCases } from './cases/courses.ts';
import { errorCases } from './cases/errors.ts';
import { fieldSelectionCases } from './cases/field-selection.ts';
import { formatCases } from './cases/formats.ts';
import { invitationCases } from './cases/invitations.ts';
import { jsonpAndCorsCases } from './cases/jsonp-cors.ts';
import { launchCases } from './cases/launches.ts';
import { licenseCases } from './cases/licenses.ts';
import { parameterCases } from './cases/parameters.ts';
import { queryCases } from './cases/queries.ts';
import { realmUserCases } from './cases/realm-users.ts';
import { recordCases } from './cases/records.ts';
import { registrationCreateCases } from './cases/registration-create.ts';
import { registrationCases } from './cases/registrations.ts';
import { templateCases } from './cases/templates.ts';
import { textFormCases } from './cases/text-forms.ts';
import { userKeyCases } from './cases/user-keys.ts';
import { type ConformanceCase, trial } from './conformance-case.ts';
import { checkCoverage } from './coverage.ts';

/** The cases by what they try, each area from a file of its own. */
const areas: Readonly<Record<string, readonly ConformanceCase[]>> = {
  Formats: formatCases,
  'Text forms': textFormCases,
  Parameters: parameterCases,
  Access: accessCases,
  'User keys': userKeyCases,
  'API keys': apiKeyCases,
  Records: [...recordCases, ...courseXmlCases],
  'Field selection': fieldSelectionCases,
  Courses: courseCases,
  'Registration create': registrationCreateCases,
  Registrations: registrationCases,
  Launches: launchCases,
  Invitations: invitationCases,
  'Add learners': addLearnersCases,
  Licences: licenseCases,
  'Realm users': realmUserCases,
  Templates: templateCases,
  Queries: queryCases,
  Browsers: jsonpAndCorsCases,
  Errors: errorCases,
};

const tried = Object.entries(areas).flatMap(([area, cases]) =>
  cases.map((each) => ({ ...each, name: `${area}: ${each.name}` })),
);

/** The whole suite; its first case sees to it that no paragraph of the contract is left out. */
export const allCases: readonly ConformanceCase[] = [
  trial('every paragraph of the contract is named by a case', [], async () => checkCoverage(tried)),
  ...tried,
];
