import type { Findings } from './findings.ts';
import { childrenOf, descend, numberIn, type XmlElement } from './parse-xml.ts';
import type { PlaceOf } from './read-activities.ts';
import { identifierIn, readObjectives } from './read-objectives.ts';
import { mergedSequencing } from './read-sequencing.ts';
import { conditionNames, rollupActions, ruleActions } from './sequencing-definition.ts';

interface Context {
  readonly findings: Findings;
  readonly placeOf: PlaceOf;
}

/** An item of the organization, or the organization, with the sequencing that applies to it. */
interface Part {
  readonly item: XmlElement;
  readonly sequencing: readonly XmlElement[];
}

/** How many items a message names, and how much of each identifier. */
const shownItems = { number: 5, length: 60 };

/** Finds what is wrong with the sequencing of items, and what of it the player does not obey: SCORM 2004 CAM 5.1. */
export function checkSequencing(
  manifest: XmlElement,
  items: readonly XmlElement[],
  context: Context,
): void {
  const { findings, placeOf } = context;
  const collection = childrenOf(descend(manifest, 'sequencingcollection'), 'sequencing');
  const shared = new Map(collection.map((each) => [each.attributes['id'] ?? '', each]));
  const parts: Part[] = [];
  for (const item of items) {
    const own = descend(item, 'sequencing');
    const reference = own?.attributes['idref'];
    const referred = shared.get(reference ?? '');
    if (own && reference && !referred) {
      const message = `The manifest contains no sequencing ${reference}, to which ${idOf(item)} refers.`;
      findings.add('sequencing-unknown', message, placeOf(own));
    }
    parts.push({ item, sequencing: [own, referred].filter((each) => each !== undefined) });
    checkObjectives(item, mergedSequencing(own, referred), context);
  }
  const owns = items.flatMap((item) => descend(item, 'sequencing') ?? []);
  for (const sequencing of [...owns, ...collection]) checkValues(sequencing, context);
  for (const item of items) {
    const threshold = descend(item, 'completionthreshold');
    if (!threshold) continue;
    const { minprogressmeasure, progressweight } = threshold.attributes;
    checkRange(threshold, minprogressmeasure ?? threshold.text, [0, 1], context);
    checkRange(threshold, progressweight, [0, 1], context);
  }
  checkDisregarded(parts, context);
}

const idOf = ({ attributes }: XmlElement) => attributes['identifier'] ?? '';

/** Finds conditions on objectives that the activity does not have. */
function checkObjectives(
  item: XmlElement,
  applied: XmlElement | undefined,
  { findings, placeOf }: Context,
): void {
  const conditions = conditionsIn(descend(applied, 'sequencingrules'));
  if (conditions.length === 0) return;
  const known = new Set(readObjectives(applied).map(({ id }) => id));
  for (const condition of conditions) {
    const objective = identifierIn(condition.attributes['referencedobjective']);
    if (objective === '' || known.has(objective)) continue;
    const message = `A rule of ${idOf(item)} refers to the objective ${objective}, which the activity does not have.`;
    findings.add('objective-unknown', message, placeOf(condition));
  }
}

const conditionsIn = (rules: XmlElement | undefined): XmlElement[] =>
  (rules?.children ?? []).flatMap((rule) =>
    childrenOf(descend(rule, 'ruleconditions'), 'rulecondition'),
  );

/** Finds values that have no effect, because the standard does not know them. */
function checkValues(sequencing: XmlElement, context: Context): void {
  const rules = descend(sequencing, 'sequencingrules');
  for (const [kind, actions] of Object.entries(ruleActions)) {
    for (const rule of childrenOf(rules, kind.slice(0, -1).toLowerCase())) {
      checkToken(descend(rule, 'ruleaction'), 'action', actions, context);
    }
  }
  const rollup = descend(sequencing, 'rolluprules');
  const rollupRules = childrenOf(rollup, 'rolluprule');
  for (const rule of rollupRules) {
    checkToken(descend(rule, 'rollupaction'), 'action', rollupActions, context);
  }
  const conditions = [
    ...conditionsIn(rules),
    ...rollupRules.flatMap((rule) =>
      childrenOf(descend(rule, 'rollupconditions'), 'rollupcondition'),
    ),
  ];
  for (const condition of conditions) {
    checkToken(condition, 'condition', conditionNames, context);
    checkRange(condition, condition.attributes['measurethreshold'], [-1, 1], context);
  }
  if (rollup) checkRange(rollup, rollup.attributes['objectivemeasureweight'], [0, 1], context);
  for (const list of childrenOf(sequencing, 'objectives')) {
    for (const objective of list.children) {
      const measure = descend(objective, 'minnormalizedmeasure');
      if (measure) checkRange(measure, measure.text, [-1, 1], context);
    }
  }
}

function checkToken(
  element: XmlElement | undefined,
  attribute: string,
  tokens: readonly string[],
  { findings, placeOf }: Context,
): void {
  const value = element?.attributes[attribute];
  if (!element || value === undefined) return;
  if (tokens.some((token) => token.toLowerCase() === value.toLowerCase())) return;
  const message = `${element.name} has no such ${attribute}, and has no effect: ${value}`;
  findings.add('unknown-value', message, placeOf(element));
}

/** Finds a text that is no number of a range, and so has no effect. */
export function checkRange(
  element: XmlElement,
  text: string | undefined,
  [min, max]: readonly [number, number],
  { findings, placeOf }: Context,
): void {
  if (!text || numberIn(text, min, max) !== null) return;
  const message = `${element.name} must be a number from ${min} to ${max}, and has no effect: ${text}`;
  findings.add('value-out-of-range', message, placeOf(element));
}

/** Finds what the player does not obey. Each kind is one finding, which names the first items. */
function checkDisregarded(parts: readonly Part[], { findings, placeOf }: Context): void {
  for (const { rule, message, isIn } of disregarded) {
    const concerned = parts.filter(({ sequencing }) => sequencing.some(isIn));
    const [first] = concerned;
    if (!first) continue;
    const names = concerned.map(({ item }) => idOf(item));
    findings.add(rule, withItems(message, names), placeOf(first.sequencing[0] ?? first.item));
  }
}

const disregarded = [
  {
    rule: 'time-limits',
    message: 'Limits of time other than attemptAbsoluteDurationLimit are not obeyed',
    isIn: (sequencing: XmlElement) =>
      childrenOf(sequencing, 'limitconditions').some(({ attributes }) =>
        [
          'attemptexperienceddurationlimit',
          'activityabsolutedurationlimit',
          'activityexperienceddurationlimit',
          'begintimelimit',
          'endtimelimit',
        ].some((name) => attributes[name]),
      ),
  },
  {
    rule: 'auxiliary-resources',
    message: 'Auxiliary resources are not used',
    isIn: (sequencing: XmlElement) =>
      childrenOf(sequencing, 'auxiliaryresources').some(
        (resources) => childrenOf(resources, 'auxiliaryresource').length > 0,
      ),
  },
] as const;

/** A sentence that names the first items that it concerns: its length does not grow with the package. */
export function withItems(sentence: string, ids: readonly string[]): string {
  const names = ids
    .slice(0, shownItems.number)
    .map((id) => (id.length > shownItems.length ? `${id.slice(0, shownItems.length)}…` : id));
  const rest = ids.length - names.length;
  return `${sentence} (${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}).`;
}
