import { xmlElement } from '#libs/formats';
import { type Element } from 'xml-js';

/**
 * The activity tree of a version 2 result (provider-api, activityDetails) as the elements that
 * the older API's reports had for it. The tree comes as the provider told it: what is missing or
 * of another type becomes an empty element.
 */
export function activityElements(activity: unknown): Element[] {
  if (!isObject(activity)) return [];
  const score = fieldsOf(activity['score']);
  return [
    xmlElement('activity', { id: textOf(activity['id']) }, [
      ...elements(activity, [['title', 'title']]),
      xmlElement('satisfied', {}, `${activity['activitySuccess'] === 'PASSED'}`),
      xmlElement('completed', {}, `${activity['activityCompletion'] === 'COMPLETED'}`),
      xmlElement('complete', {}, stateOf(activity['activityCompletion'])),
      xmlElement('success', {}, stateOf(activity['activitySuccess'])),
      ...elements(activity, [
        ['attempts', 'attempts'],
        ['suspended', 'suspended'],
        ['time', 'timeTracked'],
      ]),
      xmlElement('score', {}, textOf(score['scaled']) || 'unknown'),
      xmlElement('objectives', {}, itemsOf(activity['objectives']).map(objective)),
      ...(isObject(activity['runtime'])
        ? [runtime({ staticProperties: activity['staticProperties'], ...activity['runtime'] })]
        : []),
      xmlElement('children', {}, itemsOf(activity['children']).flatMap(activityElements)),
    ]),
  ];
}

type Fields = Record<string, unknown>;
/** An element of the report and the field that it is made of. */
type Naming = readonly (readonly [element: string, field: string])[];

const runtimeNames: Naming = [
  ['completion_status', 'completionStatus'],
  ['credit', 'credit'],
  ['entry', 'entry'],
  ['exit', 'exit'],
  ['location', 'location'],
  ['mode', 'mode'],
  ['progress_measure', 'progressMeasure'],
  ['score_scaled', 'scoreScaled'],
  ['score_raw', 'scoreRaw'],
  ['score_min', 'scoreMin'],
  ['score_max', 'scoreMax'],
  ['total_time', 'totalTime'],
  ['timetracked', 'timeTracked'],
  ['success_status', 'runtimeSuccessStatus'],
  ['suspend_data', 'suspendData'],
];
const preferenceNames: Naming = [
  ['audio_level', 'audioLevel'],
  ['language', 'language'],
  ['delivery_speed', 'deliverySpeed'],
  ['audio_captioning', 'audioCaptioning'],
];
const staticNames: Naming = [
  ['completion_threshold', 'completionThreshold'],
  ['launch_data', 'launchData'],
  ['max_time_allowed', 'maxTimeAllowed'],
  ['scaled_passing_score', 'scaledPassingScore'],
  ['time_limit_action', 'timeLimitAction'],
];
const commentNames: Naming = [
  ['value', 'value'],
  ['location', 'location'],
  ['date_time', 'dateTime'],
];
const interactionNames: Naming = [
  ['type', 'type'],
  ['timestamp', 'timestamp'],
  ['weighting', 'weighting'],
  ['learner_response', 'learnerResponse'],
  ['result', 'result'],
  ['latency', 'latency'],
  ['description', 'description'],
];
const runtimeObjectiveNames: Naming = [
  ['score_scaled', 'scoreScaled'],
  ['score_min', 'scoreMin'],
  ['score_raw', 'scoreRaw'],
  ['score_max', 'scoreMax'],
  ['success_status', 'runtimeObjectiveSuccessStatus'],
  ['completion_status', 'runtimeObjectiveCompletionStatus'],
  ['progress_measure', 'progressMeasure'],
  ['description', 'description'],
];

function runtime(fields: Fields): Element {
  const comments = (field: string) =>
    itemsOf(fields[field]).map((item) =>
      xmlElement('comment', {}, elements(fieldsOf(item), commentNames)),
    );
  return xmlElement('runtime', {}, [
    ...elements(fields, runtimeNames),
    xmlElement(
      'learnerpreference',
      {},
      elements(fieldsOf(fields['learnerPreference']), preferenceNames),
    ),
    xmlElement('comments_from_learner', {}, comments('learnerComments')),
    xmlElement('comments_from_lms', {}, comments('lmsComments')),
    xmlElement('interactions', {}, itemsOf(fields['runtimeInteractions']).map(interaction)),
    xmlElement('objectives', {}, itemsOf(fields['runtimeObjectives']).map(runtimeObjective)),
    xmlElement('static', {}, elements(fieldsOf(fields['staticProperties']), staticNames)),
  ]);
}

function interaction(item: unknown): Element {
  const fields = fieldsOf(item);
  const identified = (name: string, ids: unknown) =>
    itemsOf(ids).map((id) => xmlElement(name, { id: textOf(id) }, []));
  return xmlElement('interaction', { id: textOf(fields['id']) }, [
    xmlElement('objectives', {}, identified('objective', fields['objectives'])),
    xmlElement('correct_responses', {}, identified('response', fields['correctResponses'])),
    ...elements(fields, interactionNames),
  ]);
}

function runtimeObjective(item: unknown): Element {
  const fields = fieldsOf(item);
  return xmlElement(
    'objective',
    { id: textOf(fields['id']) },
    elements(fields, runtimeObjectiveNames),
  );
}

function objective(item: unknown): Element {
  const fields = fieldsOf(item);
  const scaled = fieldsOf(fields['score'])['scaled'];
  const measured = typeof scaled === 'number';
  const success = fields['objectiveSuccess'];
  return xmlElement('objective', { id: textOf(fields['id']) }, [
    xmlElement('measurestatus', {}, `${measured}`),
    xmlElement('normalizedmeasure', {}, `${measured ? scaled / 100 : 0}`),
    xmlElement('progressstatus', {}, `${success === 'PASSED' || success === 'FAILED'}`),
    xmlElement('satisfiedstatus', {}, `${success === 'PASSED'}`),
  ]);
}

const elements = (fields: Fields, names: Naming): Element[] =>
  names.map(([name, field]) => xmlElement(name, {}, textOf(fields[field])));

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : '';

/** COMPLETED, PASSED and so on in the words of the older API. */
function stateOf(value: unknown): string {
  const state = textOf(value).toLowerCase() || 'unknown';
  return state === 'completed' ? 'complete' : state;
}
