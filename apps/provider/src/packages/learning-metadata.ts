import type { CourseMetadata } from './course-structure.ts';
import { childrenOf, descend, textAt, type XmlElement } from './xml.ts';

/** Reads the learning object metadata (IEEE LOM, and IMS MD before it) of a course. */
export function readMetadata(lom: XmlElement | undefined): CourseMetadata {
  const general = descend(lom, 'general');
  return {
    title: inAnyLanguage(descend(general, 'title')),
    description: inAnyLanguage(descend(general, 'description')),
    duration: time(descend(lom, 'technical', 'duration')),
    typicalTime: time(descend(lom, 'educational', 'typicallearningtime')),
    keywords: childrenOf(general, 'keyword').map(inAnyLanguage).filter(Boolean),
  };
}

/** IMS MD writes `langstring`, LOM writes `string`; the first language is the package's own. */
const inAnyLanguage = (element: XmlElement | undefined) =>
  textAt(element, 'langstring') || textAt(element, 'string');

const time = (element: XmlElement | undefined) =>
  textAt(element, 'datetime') || textAt(element, 'duration');
