import type { PostbackRequest } from '../postbacks/postback-request.ts';
import type { Configuration } from './settings.ts';

/** The settings that `postBack` of a new registration stands for. */
export const postbackSettings = ({
  url,
  authType,
  userName,
  password,
  resultsFormat,
}: PostbackRequest): Configuration => ({
  ApiRollupRegistrationPostBackUrl: url,
  ApiRollupRegistrationAuthType: authType.toLowerCase(),
  ApiRollupRegistrationAuthUser: userName,
  ApiRollupRegistrationAuthPassword: password,
  ApiRollupRegistrationFormat: resultsFormat.toLowerCase(),
});
