/**
 * What a manifest says about the sequencing of an activity (SCORM 2004 SN 3). Values that are absent have
 * the defaults of the standard, so that a large course structure stays small.
 */
export interface SequencingDefinition {
  readonly controlMode?: Partial<ControlMode>;
  readonly preConditionRules?: readonly SequencingRule[];
  readonly exitConditionRules?: readonly SequencingRule[];
  readonly postConditionRules?: readonly SequencingRule[];
  readonly attemptLimit?: number;
  readonly rollup?: Partial<Rollup>;
  readonly rollupRules?: readonly RollupRule[];
  readonly selection?: Selection;
  readonly delivery?: Partial<DeliveryControls>;
  readonly constrainedChoice?: Partial<ConstrainedChoice>;
}

/** SCORM 2004 SN 3.2. */
export interface ControlMode {
  readonly choice: boolean;
  readonly choiceExit: boolean;
  readonly flow: boolean;
  readonly forwardOnly: boolean;
  readonly useCurrentAttemptObjectiveInfo: boolean;
  readonly useCurrentAttemptProgressInfo: boolean;
}

export const defaultControlMode: ControlMode = {
  choice: true,
  choiceExit: true,
  flow: false,
  forwardOnly: false,
  useCurrentAttemptObjectiveInfo: true,
  useCurrentAttemptProgressInfo: true,
};

export const conditionNames = [
  'satisfied',
  'objectiveStatusKnown',
  'objectiveMeasureKnown',
  'objectiveMeasureGreaterThan',
  'objectiveMeasureLessThan',
  'completed',
  'activityProgressKnown',
  'attempted',
  'attemptLimitExceeded',
  'timeLimitExceeded',
  'outsideAvailableTimeRange',
  'always',
  'never',
] as const;
export type ConditionName = (typeof conditionNames)[number];

/** A condition of a sequencing or rollup rule. */
export interface RuleCondition {
  readonly name: ConditionName;
  readonly not?: boolean;
  /** The id of an objective of the activity; absent for the primary one. */
  readonly objective?: string;
  /** -1 to 1. */
  readonly threshold?: number;
}

/** The conditions of a rule, of which all or any must be true. */
interface Conditions {
  readonly combination: 'all' | 'any';
  readonly conditions: readonly RuleCondition[];
}

export const ruleActions = {
  preConditionRules: ['skip', 'disabled', 'hiddenFromChoice', 'stopForwardTraversal'],
  exitConditionRules: ['exit'],
  postConditionRules: ['exitParent', 'exitAll', 'retry', 'retryAll', 'continue', 'previous'],
} as const;
export type RuleKind = keyof typeof ruleActions;
export type RuleAction = (typeof ruleActions)[RuleKind][number];

/** SCORM 2004 SN 3.4. */
export interface SequencingRule extends Conditions {
  readonly action: RuleAction;
}

export const rollupActions = ['satisfied', 'notSatisfied', 'completed', 'incomplete'] as const;
export type RollupAction = (typeof rollupActions)[number];

export const childSets = ['all', 'any', 'none', 'atLeastCount', 'atLeastPercent'] as const;

/** SCORM 2004 SN 3.7. */
export interface RollupRule extends Conditions {
  readonly action: RollupAction;
  readonly children: (typeof childSets)[number];
  /** A number of children, or a share from 0 to 1. */
  readonly minimum?: number;
}

export const requirements = ['always', 'ifAttempted', 'ifNotSkipped', 'ifNotSuspended'] as const;
type Requirement = (typeof requirements)[number];

/** How an activity counts for its parent (SCORM 2004 SN 3.7 and 3.8). */
export interface Rollup {
  readonly objectiveSatisfied: boolean;
  readonly progressCompletion: boolean;
  readonly objectiveMeasureWeight: number;
  readonly progressWeight: number;
  readonly requiredFor: Readonly<Partial<Record<RollupAction, Requirement>>>;
  /** Whether the measure decides while the activity is active. */
  readonly measureSatisfactionIfActive: boolean;
}

export const defaultRollup: Rollup = {
  objectiveSatisfied: true,
  progressCompletion: true,
  objectiveMeasureWeight: 1,
  progressWeight: 1,
  requiredFor: {},
  measureSatisfactionIfActive: true,
};

export const timings = ['never', 'once', 'onEachNewAttempt'] as const;
export type Timing = (typeof timings)[number];

/** Which children an activity has, and in which order (SCORM 2004 SN 3.11 and 3.12). */
export interface Selection {
  readonly selectionTiming: Timing;
  /** Absent for all. */
  readonly selectCount?: number;
  readonly randomizationTiming: Timing;
  readonly reorderChildren: boolean;
}

/** SCORM 2004 SN 3.13. */
export interface DeliveryControls {
  readonly tracked: boolean;
  readonly completionSetByContent: boolean;
  readonly objectiveSetByContent: boolean;
}

export const defaultDelivery: DeliveryControls = {
  tracked: true,
  completionSetByContent: false,
  objectiveSetByContent: false,
};

/** SCORM 2004 SN 3.3. */
export interface ConstrainedChoice {
  readonly preventActivation: boolean;
  readonly constrainChoice: boolean;
}
