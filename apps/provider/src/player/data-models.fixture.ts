/**
 * The data models of content as the standards list them (SCORM 1.2 RTE 3.4.4, SCORM 2004 RTE 4.2,
 * SN 5.6), written down a second time so that a suite can compare the player with them.
 */

/** The error code of a value that content sets: 0 if it is accepted. */
type Judge = (value: string) => string;

export interface DataElement {
  /** `N` stands for an index. */
  readonly name: string;
  readonly access: 'r' | 'w' | 'rw';
  readonly judge: Judge;
}

export interface DataModel {
  readonly standard: 'SCORM12' | 'SCORM2004';
  readonly prefix: 'LMS' | '';
  readonly end: 'Finish' | 'Terminate';
  readonly elements: readonly DataElement[];
  /** Groups, lists and entries of lists: they have members and no value. */
  readonly parents: readonly string[];
  readonly lists: readonly string[];
  /** Elements whose `_children` can be read. */
  readonly withChildren: readonly string[];
  readonly codes: {
    readonly missing: Call;
    readonly undefined: string;
    readonly writeOnly: string;
    readonly readOnly: string;
    readonly keyword: string;
    readonly index: Call;
    readonly noChildren: string;
    readonly noCount: string;
    readonly mismatch: string;
  };
}
interface Call {
  readonly get: string;
  readonly set: string;
}

const accepts =
  (mismatch: string) =>
  (isValid: (value: string) => boolean): Judge =>
  (value) =>
    isValid(value) ? '0' : mismatch;
const oneOf = (...words: string[]) => {
  const known = new Set(words);
  return (value: string) => known.has(value);
};
const matches = (pattern: RegExp) => (value: string) => pattern.test(value);
const decimal = /^-?\d+(?:\.\d+)?$/;
/** A decimal of SCORM 1.2 may begin or end with its point. */
const decimal12 = /^-?(?:\d+\.?\d*|\.\d+)$/;
const isBetween = (min: number, max: number) => (value: string) =>
  decimal.test(value) && Number(value) >= min && Number(value) <= max;

const accepts12 = accepts('405');
/** Longer texts than the standard's 4096 characters are accepted where content needs them. */
const text = (length: number) => accepts12((value) => value.length <= length);
const anyText: Judge = () => '0';
const none: Judge = () => 'never judged';
const score12 = accepts12(
  (value) => value === '' || (decimal12.test(value) && Number(value) >= 0 && Number(value) <= 100),
);
/** The standard excludes spaces, which real packages use. */
const identifier12 = accepts12(matches(/^[ -~]{1,255}$/));
const statuses = ['passed', 'completed', 'failed', 'incomplete', 'browsed'];
const timespan12 = accepts12(matches(/^\d+:\d\d:\d\d(?:\.\d+)?$/));

export const scorm12: DataModel = {
  standard: 'SCORM12',
  prefix: 'LMS',
  end: 'Finish',
  elements: [
    { name: 'cmi.core.student_id', access: 'r', judge: none },
    { name: 'cmi.core.student_name', access: 'r', judge: none },
    { name: 'cmi.core.lesson_location', access: 'rw', judge: text(255) },
    { name: 'cmi.core.credit', access: 'r', judge: none },
    { name: 'cmi.core.lesson_status', access: 'rw', judge: accepts12(oneOf(...statuses)) },
    { name: 'cmi.core.entry', access: 'r', judge: none },
    { name: 'cmi.core.score.raw', access: 'rw', judge: score12 },
    { name: 'cmi.core.score.min', access: 'rw', judge: score12 },
    { name: 'cmi.core.score.max', access: 'rw', judge: score12 },
    { name: 'cmi.core.total_time', access: 'r', judge: none },
    { name: 'cmi.core.lesson_mode', access: 'r', judge: none },
    {
      name: 'cmi.core.exit',
      access: 'w',
      // The last one is that of SCORM 2004; the library takes it for an empty one.
      judge: accepts12(oneOf('time-out', 'suspend', 'logout', '', 'normal')),
    },
    { name: 'cmi.core.session_time', access: 'w', judge: timespan12 },
    { name: 'cmi.suspend_data', access: 'rw', judge: text(64_000) },
    { name: 'cmi.launch_data', access: 'r', judge: none },
    { name: 'cmi.comments', access: 'rw', judge: text(4096) },
    { name: 'cmi.comments_from_lms', access: 'r', judge: none },
    { name: 'cmi.objectives.N.id', access: 'rw', judge: identifier12 },
    { name: 'cmi.objectives.N.score.raw', access: 'rw', judge: score12 },
    { name: 'cmi.objectives.N.score.min', access: 'rw', judge: score12 },
    { name: 'cmi.objectives.N.score.max', access: 'rw', judge: score12 },
    {
      name: 'cmi.objectives.N.status',
      access: 'rw',
      judge: accepts12(oneOf(...statuses, 'not attempted')),
    },
    { name: 'cmi.student_data.mastery_score', access: 'r', judge: none },
    { name: 'cmi.student_data.max_time_allowed', access: 'r', judge: none },
    { name: 'cmi.student_data.time_limit_action', access: 'r', judge: none },
    {
      name: 'cmi.student_preference.audio',
      access: 'rw',
      judge: accepts12((value) => /^-?\d+$/.test(value) && isBetween(-1, 100)(value)),
    },
    { name: 'cmi.student_preference.language', access: 'rw', judge: text(255) },
    {
      name: 'cmi.student_preference.speed',
      access: 'rw',
      judge: accepts12((value) => /^-?\d+$/.test(value) && isBetween(-100, 100)(value)),
    },
    { name: 'cmi.student_preference.text', access: 'rw', judge: accepts12(oneOf('-1', '0', '1')) },
    { name: 'cmi.interactions.N.id', access: 'w', judge: identifier12 },
    { name: 'cmi.interactions.N.objectives.N.id', access: 'w', judge: identifier12 },
    {
      name: 'cmi.interactions.N.time',
      access: 'w',
      judge: accepts12(matches(/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?$/)),
    },
    {
      name: 'cmi.interactions.N.type',
      access: 'w',
      judge: accepts12(
        oneOf(
          ...['true-false', 'choice', 'fill-in', 'matching'],
          ...['performance', 'sequencing', 'likert', 'numeric'],
        ),
      ),
    },
    { name: 'cmi.interactions.N.correct_responses.N.pattern', access: 'w', judge: anyText },
    { name: 'cmi.interactions.N.weighting', access: 'w', judge: accepts12(matches(decimal12)) },
    { name: 'cmi.interactions.N.student_response', access: 'w', judge: anyText },
    {
      name: 'cmi.interactions.N.result',
      access: 'w',
      judge: accepts12(
        (value) =>
          // The last one is that of SCORM 2004, which real packages use.
          oneOf('correct', 'wrong', 'unanticipated', 'neutral', 'incorrect')(value) ||
          decimal12.test(value),
      ),
    },
    { name: 'cmi.interactions.N.latency', access: 'w', judge: timespan12 },
  ],
  parents: [
    'cmi',
    'cmi.core',
    'cmi.core.score',
    'cmi.student_data',
    'cmi.student_preference',
    'cmi.objectives.N',
    'cmi.objectives.N.score',
    'cmi.interactions.N',
    'cmi.interactions.N.objectives.N',
    'cmi.interactions.N.correct_responses.N',
  ],
  lists: [
    'cmi.objectives',
    'cmi.interactions',
    'cmi.interactions.N.objectives',
    'cmi.interactions.N.correct_responses',
  ],
  withChildren: [
    'cmi.core',
    'cmi.core.score',
    'cmi.objectives',
    'cmi.objectives.N.score',
    'cmi.student_data',
    'cmi.student_preference',
    'cmi.interactions',
  ],
  codes: {
    missing: { get: '201', set: '201' },
    undefined: '401',
    writeOnly: '404',
    readOnly: '403',
    keyword: '402',
    index: { get: '201', set: '201' },
    noChildren: '202',
    noCount: '203',
    mismatch: '405',
  },
};

const accepts2004 = accepts('406');
const real = accepts2004(matches(decimal));
const realBetween =
  (min: number, max: number): Judge =>
  (value) => {
    if (!decimal.test(value)) return '406';
    return isBetween(min, max)(value) ? '0' : '407';
  };
const isCompletion = oneOf('completed', 'incomplete', 'not attempted', 'unknown');
const isSuccess = oneOf('passed', 'failed', 'unknown');
const completion = accepts2004(isCompletion);
const success = accepts2004(isSuccess);
/** The standard requires a URI; real packages use other texts. */
const identifier2004 = accepts2004((value) => /^(?=.*\S).{1,4000}$/.test(value));
const time2004 = accepts2004(
  matches(
    /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d(?::\d\d)?)?)?)?)?$/,
  ),
);
const interval2004 = accepts2004(
  matches(/^P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/),
);
const scores2004 = (name: string): DataElement[] => [
  { name: `${name}.scaled`, access: 'rw', judge: realBetween(-1, 1) },
  ...['raw', 'min', 'max'].map((member) => ({
    name: `${name}.${member}`,
    access: 'rw' as const,
    judge: real,
  })),
];
const comments = (name: string, access: 'r' | 'rw'): DataElement[] => [
  { name: `${name}.N.comment`, access, judge: anyText },
  { name: `${name}.N.location`, access, judge: anyText },
  { name: `${name}.N.timestamp`, access, judge: time2004 },
];

export const scorm2004: DataModel = {
  standard: 'SCORM2004',
  prefix: '',
  end: 'Terminate',
  elements: [
    ...comments('cmi.comments_from_learner', 'rw'),
    ...comments('cmi.comments_from_lms', 'r'),
    { name: 'cmi.completion_status', access: 'rw', judge: completion },
    { name: 'cmi.completion_threshold', access: 'r', judge: none },
    { name: 'cmi.credit', access: 'r', judge: none },
    { name: 'cmi.entry', access: 'r', judge: none },
    {
      name: 'cmi.exit',
      access: 'w',
      judge: accepts2004(oneOf('time-out', 'suspend', 'logout', 'normal', '')),
    },
    { name: 'cmi.interactions.N.id', access: 'rw', judge: identifier2004 },
    {
      name: 'cmi.interactions.N.type',
      access: 'rw',
      judge: accepts2004(
        oneOf(
          ...['true-false', 'choice', 'fill-in', 'long-fill-in', 'matching'],
          ...['performance', 'sequencing', 'likert', 'numeric', 'other'],
        ),
      ),
    },
    { name: 'cmi.interactions.N.objectives.N.id', access: 'rw', judge: identifier2004 },
    { name: 'cmi.interactions.N.timestamp', access: 'rw', judge: time2004 },
    // Of the type `other`, whose answers have every form.
    { name: 'cmi.interactions.N.correct_responses.N.pattern', access: 'rw', judge: anyText },
    { name: 'cmi.interactions.N.weighting', access: 'rw', judge: real },
    { name: 'cmi.interactions.N.learner_response', access: 'rw', judge: anyText },
    {
      name: 'cmi.interactions.N.result',
      access: 'rw',
      judge: accepts2004(
        (value) =>
          oneOf('correct', 'incorrect', 'unanticipated', 'neutral')(value) || decimal.test(value),
      ),
    },
    { name: 'cmi.interactions.N.latency', access: 'rw', judge: interval2004 },
    { name: 'cmi.interactions.N.description', access: 'rw', judge: anyText },
    { name: 'cmi.launch_data', access: 'r', judge: none },
    { name: 'cmi.learner_id', access: 'r', judge: none },
    { name: 'cmi.learner_name', access: 'r', judge: none },
    {
      name: 'cmi.learner_preference.audio_level',
      access: 'rw',
      judge: realBetween(0, 999.9999999),
    },
    {
      name: 'cmi.learner_preference.language',
      access: 'rw',
      judge: accepts2004(matches(/^(?:[a-z]{1,8}(?:-[a-z\d]{2,8})*)?$/i)),
    },
    {
      name: 'cmi.learner_preference.delivery_speed',
      access: 'rw',
      judge: realBetween(0, 999.9999999),
    },
    {
      name: 'cmi.learner_preference.audio_captioning',
      access: 'rw',
      judge: accepts2004(oneOf('-1', '0', '1')),
    },
    { name: 'cmi.location', access: 'rw', judge: anyText },
    { name: 'cmi.max_time_allowed', access: 'r', judge: none },
    { name: 'cmi.mode', access: 'r', judge: none },
    { name: 'cmi.objectives.N.id', access: 'rw', judge: identifier2004 },
    ...scores2004('cmi.objectives.N.score'),
    { name: 'cmi.objectives.N.success_status', access: 'rw', judge: success },
    { name: 'cmi.objectives.N.completion_status', access: 'rw', judge: completion },
    { name: 'cmi.objectives.N.progress_measure', access: 'rw', judge: realBetween(0, 1) },
    { name: 'cmi.objectives.N.description', access: 'rw', judge: anyText },
    { name: 'cmi.progress_measure', access: 'rw', judge: realBetween(0, 1) },
    { name: 'cmi.scaled_passing_score', access: 'r', judge: none },
    ...scores2004('cmi.score'),
    { name: 'cmi.session_time', access: 'w', judge: interval2004 },
    { name: 'cmi.success_status', access: 'rw', judge: success },
    { name: 'cmi.suspend_data', access: 'rw', judge: anyText },
    { name: 'cmi.time_limit_action', access: 'r', judge: none },
    { name: 'cmi.total_time', access: 'r', judge: none },
    {
      name: 'adl.nav.request',
      access: 'rw',
      judge: accepts2004(
        (value) =>
          oneOf('continue', 'previous', 'exit', 'exitAll', 'abandon', 'abandonAll')(value) ||
          oneOf('suspendAll', '_none_')(value) ||
          /^\{target=[^}]+\}(?:choice|jump)$/.test(value),
      ),
    },
    { name: 'adl.nav.request_valid.continue', access: 'r', judge: none },
    { name: 'adl.nav.request_valid.previous', access: 'r', judge: none },
    { name: 'adl.nav.request_valid.choice.{target=a.b}', access: 'r', judge: none },
    { name: 'adl.nav.request_valid.jump.{target=a.b}', access: 'r', judge: none },
  ],
  parents: [
    'cmi',
    'cmi.score',
    'cmi.learner_preference',
    'cmi.comments_from_learner.N',
    'cmi.comments_from_lms.N',
    'cmi.objectives.N',
    'cmi.objectives.N.score',
    'cmi.interactions.N',
    'cmi.interactions.N.objectives.N',
    'cmi.interactions.N.correct_responses.N',
    'adl',
    'adl.nav',
    'adl.nav.request_valid',
  ],
  lists: [
    'cmi.comments_from_learner',
    'cmi.comments_from_lms',
    'cmi.objectives',
    'cmi.interactions',
    'cmi.interactions.N.objectives',
    'cmi.interactions.N.correct_responses',
    'adl.data',
  ],
  withChildren: [
    'cmi.score',
    'cmi.learner_preference',
    'cmi.comments_from_learner',
    'cmi.comments_from_lms',
    'cmi.objectives',
    'cmi.objectives.N.score',
    'cmi.interactions',
    'adl.data',
  ],
  codes: {
    missing: { get: '301', set: '351' },
    undefined: '401',
    writeOnly: '405',
    readOnly: '404',
    keyword: '404',
    index: { get: '301', set: '351' },
    noChildren: '301',
    noCount: '301',
    mismatch: '406',
  },
};

/** Values of every type, among them some that JavaScript cannot convert to a text. */
export const values: readonly unknown[] = [
  ...['', ' ', 'text', 'two words', 'line\nbreak', '{1}', '{lang=en}text', 'ü'],
  ...['x'.repeat(251), 'x'.repeat(256), 'x'.repeat(4001), 'x'.repeat(5000)],
  ...['0', '1', '-1', '0.5', '-0.5', '2', '100', '101', '-101', '1e3', '1,5', '.5', '1.'],
  ...['NaN', 'Infinity', 'true', 'false', 'null', 'undefined', '[object Object]'],
  ...['passed', 'failed', 'completed', 'incomplete', 'browsed', 'not attempted', 'unknown'],
  ...['Passed', 'suspend', 'time-out', 'logout', 'normal', 'correct', 'incorrect', 'wrong'],
  ...['unanticipated', 'neutral', 'true-false', 'choice', 'fill-in', 'long-fill-in', 'matching'],
  ...['performance', 'sequencing', 'likert', 'numeric', 'other', 'en', 'en-US', 'a[,]b', 'a[.]b'],
  ...['continue', 'previous', 'exit', 'suspendAll', '_none_', '{target=a.b}choice', 'choice'],
  ...['00:00:10', '0100:59:59.25', '25:00:00', '10:00', 'PT1H5M', 'P1DT0.25S', 'P', 'PT', 'PT1X'],
  ...['2026', '2026-11-22', '2026-11-22T10:00:00.0Z', '2026-13-01', 'yesterday'],
  ...[undefined, null, 0, 1.5, -1, NaN, true, 10n, {}, [], ['a'], () => 'a', Symbol('a')],
  ...[Object.create(null) as object, { toString: () => 'text' }],
];

/** Names that no data model has, among them properties of JavaScript's objects. */
export const undefinedNames = [
  ...['x', 'cmi.x', 'cmi.', '.cmi', 'cmi..score', 'CMI.location', 'cmi.core.x', 'cmi.score.x'],
  ...['cmi.location.x', 'cmi.core.lesson_location.x', 'cmi.suspend_data.length', ' cmi', 'cmi '],
  ...['cmi.__proto__', 'cmi.constructor', 'cmi.constructor.prototype', '__proto__', 'constructor'],
  ...['cmi.toJSON', 'cmi.reset', 'cmi.startTime', 'cmi.start_time', 'cmi.initialized'],
  ...['cmi.getCurrentTotalTime', 'cmi.jsonString', 'cmi.objectives.childArray'],
  ...['cmi.objectives.childArray.0', 'cmi.objectives.length', 'cmi.objectives.x.id'],
  ...['cmi.objectives.-1.id', 'cmi.objectives.00.id', 'cmi.objectives.1.5.id'],
  ...['cmi.objectives.1e0.id', 'cmi.objectives. 0.id', 'cmi.objectives..id', 'cmi.objectives.0.x'],
  ...['cmi.objectives.0.id.x', 'cmi.interactions.0.objectives.x.id', 'cmi.interactions.0.x'],
  ...[
    'adl.x',
    'adl.nav.x',
    'adl.nav.request_valid.x',
    'adl.nav.request_valid.choice',
    'adl.nav.request_valid.jump',
    'adl.sequencing',
    'lastErrorCode',
  ],
  ...[
    'settings',
    'settings.logLevel',
    'cmi.objectives.0.toJSON',
    'cmi.x._children',
    'cmi.x._count',
  ],
  ...['cmi._x', '_children', '_count', '_version'],
];
