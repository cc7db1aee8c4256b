import type { Objective, ObjectiveElement, ObjectiveMap } from './course-structure.ts';
import { childrenOf, descend, numberIn, textAt, type XmlElement } from './parse-xml.ts';

/** The attributes of a `mapInfo`, without `read` or `write`, and the run-time elements they map. */
const mappedElements: readonly (readonly [string, ObjectiveElement])[] = [
  ['satisfiedstatus', 'success_status'],
  ['normalizedmeasure', 'score.scaled'],
  ['rawscore', 'score.raw'],
  ['minscore', 'score.min'],
  ['maxscore', 'score.max'],
  ['completionstatus', 'completion_status'],
  ['progressmeasure', 'progress_measure'],
];

/** The elements that the `mapInfo` of IMS Simple Sequencing maps; the others are ADL's. */
const imsElements = 2;

/**
 * Reads the objectives of an activity, the primary one first (SCORM 2004 CAM 5.1.7). Those without
 * an id are left out: neither content nor a map can refer to them.
 *
 * @param sequencing the element `sequencing` whose objectives apply
 */
export function readObjectives(sequencing: XmlElement | undefined): Objective[] {
  const list = objectiveListOf(sequencing);
  const elements = [...childrenOf(list, 'primaryobjective'), ...childrenOf(list, 'objective')];
  // ADL's extension repeats objectives in a list of its own, with the maps of more elements.
  const extensions = childrenOf(sequencing, 'objectives')
    .filter((other) => other !== list)
    .flatMap((other) => childrenOf(other, 'objective'));
  return elements
    .filter((element) => idOf(element) !== '')
    .map((element) => ({
      id: idOf(element),
      isPrimary: element.name === 'primaryobjective',
      minimumMeasure: minimumMeasureOf(element),
      maps: [
        ...readMaps(element, mappedElements.slice(0, imsElements)),
        ...extensions
          .filter((extension) => idOf(extension) === idOf(element))
          .flatMap((extension) => readMaps(extension, mappedElements.slice(imsElements))),
      ],
    }));
}

/** Returns the measure that satisfies the primary objective; null if no measure decides. */
export const minimumMeasureOfPrimary = (sequencing: XmlElement | undefined): number | null =>
  minimumMeasureOf(descend(objectiveListOf(sequencing), 'primaryobjective'));

/** The list of IMS Simple Sequencing, which contains the primary objective. */
function objectiveListOf(sequencing: XmlElement | undefined): XmlElement | undefined {
  const lists = childrenOf(sequencing, 'objectives');
  return lists.find((list) => descend(list, 'primaryobjective')) ?? lists[0];
}

/** The default of the measure is 1 (SCORM 2004 SN 3.10.1). */
function minimumMeasureOf(objective: XmlElement | undefined): number | null {
  if (objective?.attributes['satisfiedbymeasure'] !== 'true') return null;
  return numberIn(textAt(objective, 'minnormalizedmeasure'), -1, 1) ?? 1;
}

const idOf = ({ attributes }: XmlElement) => identifierIn(attributes['objectiveid']);

/**
 * Reads an identifier of an objective. It is a URI, in which spaces may be escaped and repeated (XML
 * Schema, anyURI).
 */
export const identifierIn = (text = ''): string =>
  text.replaceAll('%20', ' ').replaceAll(/\s+/g, ' ').trim();

/** Everything is read unless the map says otherwise, and nothing is written (SCORM 2004 SN 3.10.3). */
const readMaps = (objective: XmlElement, elements: typeof mappedElements): ObjectiveMap[] =>
  childrenOf(objective, 'mapinfo')
    .filter(({ attributes }) => attributes['targetobjectiveid'])
    .map(({ attributes }) => ({
      target: identifierIn(attributes['targetobjectiveid']),
      reads: elements.filter(([name]) => attributes[`read${name}`] !== 'false').map(([, to]) => to),
      writes: elements
        .filter(([name]) => attributes[`write${name}`] === 'true')
        .map(([, from]) => from),
    }));
