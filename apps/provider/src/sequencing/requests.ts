/** Navigation requests of learners and content (SCORM 2004 SN 5.6 and NB.2.1). */
export const navigationCommands = [
  'start',
  'resumeAll',
  'continue',
  'previous',
  'choice',
  'jump',
  'exit',
  'exitAll',
  'abandon',
  'abandonAll',
  'suspendAll',
] as const;
export type NavigationCommand = (typeof navigationCommands)[number];

export interface NavigationRequest {
  readonly command: NavigationCommand;
  /** The id of an activity, for the requests choice and jump. */
  readonly target?: string | undefined;
}

/** Why an activity cannot be delivered, or a request is not valid. */
export const refusals = [
  /** It is not in the course, or was not selected for this attempt. */
  'unavailable',
  /** The control mode does not allow to choose (SB.2.9-4). */
  'notChoosable',
  /** A rule hides it from choice (SB.2.9-3). */
  'hidden',
  /** A rule disables it or an activity above it (UP.5). */
  'disabled',
  /** All of its attempts, or those of an activity above it, have been made (UP.1). */
  'noAttemptsLeft',
  /** The control mode does not allow to go on from activity to activity (SB.2.2-1). */
  'noFlow',
  /** The control mode allows to go forward only (SB.2.1-4, SB.2.4-2). */
  'forwardOnly',
  /** A rule stops the way to it (SB.2.4-1). */
  'stopped',
  /** An open activity must be finished first (NB.2.1-8, SB.2.9-7). */
  'choiceExit',
  /** It can be reached only from the activity above it (SB.2.9-6). */
  'preventActivation',
  /** Only activities next to the current one can be chosen (SB.2.9-8). */
  'constrained',
  /** There is no activity before or after, or none below. */
  'nothingThere',
  /** Its prerequisites are not fulfilled (SCORM 1.2). */
  'prerequisites',
  /** The request does not fit the state of the session. */
  'notNow',
] as const;
export type Refusal = (typeof refusals)[number];
