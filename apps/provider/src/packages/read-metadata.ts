import type { CourseMetadata } from './course-structure.ts';
import { childrenOf, descend, textAt, type XmlElement } from './parse-xml.ts';

/** Reads the learning object metadata of a course: IEEE LOM, or IMS MD in older packages. */
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

/** The text in the first language. IMS MD has `langstring` elements, LOM has `string` elements. */
const inAnyLanguage = (element: XmlElement | undefined) =>
  textAt(element, 'langstring') || textAt(element, 'string');

const time = (element: XmlElement | undefined) =>
  textAt(element, 'datetime') || textAt(element, 'duration');
