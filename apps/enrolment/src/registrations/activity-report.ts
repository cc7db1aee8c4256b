import { type XmlElement, xmlElement } from '@registrar/formats';

/**
 * Converts the activity tree of a provider's result (`activityDetails`) to elements of a report of
 * the format `full` (contract/registrations#record-full-result). The tree is unchecked JSON: a value
 * that is missing or of another type becomes an empty element.
 */
export function activityElements(activity: unknown): XmlElement[] {
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
/** Elements of the report with the field of each. */
type ElementMap = readonly (readonly [element: string, field: string])[];

const runtimeElements: ElementMap = [
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
const preferenceElements: ElementMap = [
  ['audio_level', 'audioLevel'],
  ['language', 'language'],
  ['delivery_speed', 'deliverySpeed'],
  ['audio_captioning', 'audioCaptioning'],
];
const staticElements: ElementMap = [
  ['completion_threshold', 'completionThreshold'],
  ['launch_data', 'launchData'],
  ['max_time_allowed', 'maxTimeAllowed'],
  ['scaled_passing_score', 'scaledPassingScore'],
  ['time_limit_action', 'timeLimitAction'],
];
const commentElements: ElementMap = [
  ['value', 'value'],
  ['location', 'location'],
  ['date_time', 'dateTime'],
];
const interactionElements: ElementMap = [
  ['type', 'type'],
  ['timestamp', 'timestamp'],
  ['weighting', 'weighting'],
  ['learner_response', 'learnerResponse'],
  ['result', 'result'],
  ['latency', 'latency'],
  ['description', 'description'],
];
const runtimeObjectiveElements: ElementMap = [
  ['score_scaled', 'scoreScaled'],
  ['score_min', 'scoreMin'],
  ['score_raw', 'scoreRaw'],
  ['score_max', 'scoreMax'],
  ['success_status', 'runtimeObjectiveSuccessStatus'],
  ['completion_status', 'runtimeObjectiveCompletionStatus'],
  ['progress_measure', 'progressMeasure'],
  ['description', 'description'],
];

function runtime(fields: Fields): XmlElement {
  const comments = (field: string) =>
    itemsOf(fields[field]).map((item) =>
      xmlElement('comment', {}, elements(fieldsOf(item), commentElements)),
    );
  return xmlElement('runtime', {}, [
    ...elements(fields, runtimeElements),
    xmlElement(
      'learnerpreference',
      {},
      elements(fieldsOf(fields['learnerPreference']), preferenceElements),
    ),
    xmlElement('comments_from_learner', {}, comments('learnerComments')),
    xmlElement('comments_from_lms', {}, comments('lmsComments')),
    xmlElement('interactions', {}, itemsOf(fields['runtimeInteractions']).map(interaction)),
    xmlElement('objectives', {}, itemsOf(fields['runtimeObjectives']).map(runtimeObjective)),
    xmlElement('static', {}, elements(fieldsOf(fields['staticProperties']), staticElements)),
  ]);
}

function interaction(item: unknown): XmlElement {
  const fields = fieldsOf(item);
  const identified = (name: string, ids: unknown) =>
    itemsOf(ids).map((id) => xmlElement(name, { id: textOf(id) }, []));
  return xmlElement('interaction', { id: textOf(fields['id']) }, [
    xmlElement('objectives', {}, identified('objective', fields['objectives'])),
    xmlElement('correct_responses', {}, identified('response', fields['correctResponses'])),
    ...elements(fields, interactionElements),
  ]);
}

function runtimeObjective(item: unknown): XmlElement {
  const fields = fieldsOf(item);
  return xmlElement(
    'objective',
    { id: textOf(fields['id']) },
    elements(fields, runtimeObjectiveElements),
  );
}

function objective(item: unknown): XmlElement {
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

const elements = (fields: Fields, map: ElementMap): XmlElement[] =>
  map.map(([name, field]) => xmlElement(name, {}, textOf(fields[field])));

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : '';

/** Returns the report's value for COMPLETED, PASSED and the like. */
function stateOf(value: unknown): string {
  const state = textOf(value).toLowerCase() || 'unknown';
  return state === 'completed' ? 'complete' : state;
}
