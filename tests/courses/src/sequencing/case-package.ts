import { makeManifest, makeZip } from '@registrar/provider/testing';
import type { Activity, Element, SequencingCase } from './sequencing-case.ts';

/** The title of an activity in the contents. */
export const titleOf = (id: string): string => (id === 'course' ? 'Made course' : `Activity ${id}`);

/** The identifier of an activity in the manifest, to which navigation requests refer. */
export const identifierOf = (id: string): string => `a${id}`;

/** Elements that only the notation of the cases has. */
const notation: readonly string[] = ['hide', 'use', 'collection'];

/** Content that does nothing by itself: the program makes its calls. */
const sco = '<!doctype html><title>SCO</title><h1>Ready</h1>';

/** Builds the package of a case. */
export function casePackage({ settings, course }: SequencingCase): Promise<Buffer> {
  const resources = ['sco', 'asset'].map(
    (type) =>
      `<resource identifier="${type}" type="webcontent" adlcp:scormType="${type}" href="sco.html"/>`,
  );
  const attributes = Object.entries(settings)
    .map(([name, value]) => ` ${name.startsWith('shared') ? 'adlcp' : 'adlseq'}:${name}="${value}"`)
    .join('');
  const manifest = makeManifest(
    course.children.map(itemOf).join('') + elementsOf(course),
    resources.join(''),
    '2004 4th Edition',
  )
    .replace('<organization identifier="org"', `$&${attributes}`)
    .replaceAll('"org"', `"${identifierOf(course.id)}"`)
    .replace('</manifest>', `${collectionOf(course)}$&`);
  return makeZip({ 'imsmanifest.xml': manifest, 'sco.html': sco });
}

function itemOf(activity: Activity): string {
  const { id, isGroup, isAsset, isHidden, children } = activity;
  // The content knows by the parameter which activity it is.
  const type = isAsset ? 'asset' : 'sco';
  const files = isGroup ? '' : ` identifierref="${type}" parameters="?activity=${id}"`;
  return `<item identifier="${identifierOf(id)}"${files}${isHidden ? ' isvisible="false"' : ''}>
    <title>${titleOf(id)}</title>${children.map(itemOf).join('')}${elementsOf(activity)}
  </item>`;
}

/** Sequencing, controls that content replaces, and other elements of an item. */
function elementsOf({ elements }: Activity): string {
  const isOther = ({ name }: Element) => name.startsWith('adlcp:');
  const sequencing = elements.filter((each) => !notation.includes(each.name) && !isOther(each));
  const hidden = wordsOf(elements, 'hide');
  const [shared] = wordsOf(elements, 'use');
  const presentation = hidden.map((each) => `<adlnav:hideLMSUI>${each}</adlnav:hideLMSUI>`);
  return [
    ...elements.filter(isOther).map(xmlOf),
    sequencing.length > 0 || shared
      ? `<imsss:sequencing${shared ? ` IDRef="${shared}"` : ''}>${sequencing.map(xmlOf).join('')}</imsss:sequencing>`
      : '',
    presentation.length > 0
      ? `<adlnav:presentation><adlnav:navigationInterface>${presentation.join('')}</adlnav:navigationInterface></adlnav:presentation>`
      : '',
  ].join('');
}

/** The sequencing that items of the course refer to. */
function collectionOf({ elements }: Activity): string {
  const shared = elements
    .filter(({ name }) => name === 'collection')
    .flatMap((each) => each.children);
  return shared.length > 0
    ? `<imsss:sequencingCollection>${shared.map(xmlOf).join('')}</imsss:sequencingCollection>`
    : '';
}

/** The words of the elements with that name, of those that only the notation of the cases has. */
const wordsOf = (elements: readonly Element[], name: string): string[] =>
  elements
    .filter((each) => each.name === name)
    .flatMap(({ attributes }) => Object.keys(attributes));

function xmlOf({ name, attributes, text, children }: Element): string {
  const tag = name.includes(':') ? name : `imsss:${name}`;
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${tag}${list.join('')}>${text}${children.map(xmlOf).join('')}</${tag}>`;
}
