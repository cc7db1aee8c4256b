import { makeManifest, makeZip } from '@registrar/provider/testing';
import type { Activity, Element, SequencingCase } from './sequencing-case.ts';

/** The title of an activity in the contents. */
export const titleOf = (id: string): string => (id === 'course' ? 'Made course' : `Activity ${id}`);

/** The identifier of an activity in the manifest, to which navigation requests refer. */
export const identifierOf = (id: string): string => `a${id}`;

/** Content that does nothing by itself: the program makes its calls. */
const sco = '<!doctype html><title>SCO</title><h1>Ready</h1>';

/** Builds the package of a case. */
export function casePackage({ settings, course }: SequencingCase): Promise<Buffer> {
  const resource =
    '<resource identifier="files" type="webcontent" adlcp:scormType="sco" href="sco.html"/>';
  const attributes = Object.entries(settings)
    .map(([name, value]) => ` ${name.startsWith('shared') ? 'adlcp' : 'adlseq'}:${name}="${value}"`)
    .join('');
  const manifest = makeManifest(
    course.children.map(itemOf).join('') + elementsOf(course),
    resource,
    '2004 4th Edition',
  ).replace('<organization identifier="org"', `$&${attributes}`);
  return makeZip({ 'imsmanifest.xml': manifest, 'sco.html': sco });
}

function itemOf(activity: Activity): string {
  const { id, isGroup, isHidden, children } = activity;
  // The content knows by the parameter which activity it is.
  const files = isGroup ? '' : ` identifierref="files" parameters="?activity=${id}"`;
  return `<item identifier="${identifierOf(id)}"${files}${isHidden ? ' isvisible="false"' : ''}>
    <title>${titleOf(id)}</title>${children.map(itemOf).join('')}${elementsOf(activity)}
  </item>`;
}

/** Sequencing, controls that content replaces, and other elements of an item. */
function elementsOf({ elements }: Activity): string {
  const isHidden = ({ name }: Element) => name === 'hide';
  const isOther = ({ name }: Element) => name.startsWith('adlcp:');
  const sequencing = elements.filter((each) => !isHidden(each) && !isOther(each));
  const hidden = elements.filter(isHidden).flatMap(({ attributes }) => Object.keys(attributes));
  const presentation = hidden.map((each) => `<adlnav:hideLMSUI>${each}</adlnav:hideLMSUI>`);
  return [
    ...elements.filter(isOther).map(xmlOf),
    sequencing.length > 0
      ? `<imsss:sequencing>${sequencing.map(xmlOf).join('')}</imsss:sequencing>`
      : '',
    presentation.length > 0
      ? `<adlnav:presentation><adlnav:navigationInterface>${presentation.join('')}</adlnav:navigationInterface></adlnav:presentation>`
      : '',
  ].join('');
}

function xmlOf({ name, attributes, text, children }: Element): string {
  const tag = name.includes(':') ? name : `imsss:${name}`;
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${tag}${list.join('')}>${text}${children.map(xmlOf).join('')}</${tag}>`;
}
