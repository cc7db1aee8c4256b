import { accessCases } from './cases/access.ts';
import { addLearnersCases } from './cases/add-learners.ts';
import { apiKeyCases } from './cases/api-keys.ts';
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

const tried: readonly ConformanceCase[] = [
  ...formatCases,
  ...textFormCases,
  ...parameterCases,
  ...accessCases,
  ...userKeyCases,
  ...apiKeyCases,
  ...recordCases,
  ...fieldSelectionCases,
  ...courseCases,
  ...registrationCreateCases,
  ...registrationCases,
  ...launchCases,
  ...invitationCases,
  ...addLearnersCases,
  ...licenseCases,
  ...realmUserCases,
  ...templateCases,
  ...queryCases,
  ...jsonpAndCorsCases,
  ...errorCases,
];

/** The whole suite; its first case sees to it that no paragraph of the contract is left out. */
export const allCases: readonly ConformanceCase[] = [
  trial('every paragraph of the contract is named by a case', [], async () => checkCoverage(tried)),
  ...tried,
];
