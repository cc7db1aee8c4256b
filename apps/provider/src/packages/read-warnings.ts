import { type CourseStructure, launchablesOf } from './course-structure.ts';
import { findApiUsers } from './find-api-users.ts';
import type { CoursePackage } from './open-package.ts';
import { childrenOf, descend, type XmlElement } from './parse-xml.ts';

/** How many items a warning names, and how much of each identifier. */
const shownItems = { number: 5, length: 60 };

/** An item of the organization, or the organization, with the sequencing that applies to it. */
interface Part {
  readonly id: string;
  readonly item: XmlElement;
  /** Its own sequencing, and the one of the collection that it refers to. */
  readonly sequencing: readonly XmlElement[];
}

/** The attributes of an element of the sequencing have one of these values. */
const sequencingSays =
  (element: string, ...values: readonly (readonly [attribute: string, value: RegExp])[]) =>
  ({ sequencing }: Part) =>
    sequencing
      .flatMap((each) => childrenOf(each, element))
      .some(({ attributes }) =>
        values.some(([attribute, value]) => value.test(attributes[attribute] ?? '')),
      );
const sequencingHas =
  (element: string, ...children: readonly string[]) =>
  ({ sequencing }: Part) =>
    sequencing
      .flatMap((each) => childrenOf(each, element))
      .some((found) => children.some((child) => childrenOf(found, child).length > 0));
const itemHas =
  (...path: readonly string[]) =>
  ({ item }: Part) =>
    descend(item, ...path) !== undefined;
const itemSays =
  (attribute: string, value: RegExp) =>
  ({ item }: Part) =>
    value.test(item.attributes[attribute] ?? '');

const yes = /^(?:true|1)$/i;
const no = /^(?:false|0)$/i;
const anything = /./;

/**
 * What manifests say and the player does not obey (docs/scorm-runtime.md): SCORM 1.2 CAM 2.3.5,
 * SCORM 2004 CAM 3.4.1 and 5.1.
 */
const disregarded: readonly (readonly [warning: string, applies: (part: Part) => boolean])[] = [
  ['Prerequisites are not obeyed', itemHas('prerequisites')],
  [
    'The mastery score decides only where the content reports a score and no status',
    itemHas('masteryscore'),
  ],
  [
    'Sequencing rules are not obeyed',
    sequencingHas('sequencingrules', 'preconditionrule', 'exitconditionrule', 'postconditionrule'),
  ],
  [
    'The control mode choice="false" is not obeyed: learners can open every part',
    sequencingSays('controlmode', ['choice', no]),
  ],
  [
    'The control mode choiceExit="false" is not obeyed',
    sequencingSays('controlmode', ['choiceexit', no]),
  ],
  ['The control mode flow="false" is not obeyed', sequencingSays('controlmode', ['flow', no])],
  [
    'The control mode forwardOnly="true" is not obeyed',
    sequencingSays('controlmode', ['forwardonly', yes]),
  ],
  [
    'The control mode useCurrentAttempt…Info="false" is not obeyed',
    sequencingSays(
      'controlmode',
      ['usecurrentattemptobjectiveinfo', no],
      ['usecurrentattemptprogressinfo', no],
    ),
  ],
  ['Attempt limits are not obeyed', sequencingSays('limitconditions', ['attemptlimit', anything])],
  [
    'Limits of time other than attemptAbsoluteDurationLimit are not obeyed',
    sequencingSays(
      'limitconditions',
      ['attemptexperienceddurationlimit', anything],
      ['activityabsolutedurationlimit', anything],
      ['activityexperienceddurationlimit', anything],
      ['begintimelimit', anything],
      ['endtimelimit', anything],
    ),
  ],
  [
    'Rollup rules are not obeyed',
    (part) =>
      sequencingHas('rolluprules', 'rolluprule')(part) ||
      sequencingSays(
        'rolluprules',
        ['rollupobjectivesatisfied', no],
        ['rollupprogresscompletion', no],
        ['objectivemeasureweight', /^(?!1(?:\.0*)?$)./],
      )(part) ||
      sequencingSays('rollupconsiderations', ['measuresatisfactionifactive', anything])(part) ||
      part.sequencing.some((each) =>
        childrenOf(each, 'rollupconsiderations').some(
          ({ attributes }) => Object.keys(attributes).length > 0,
        ),
      ),
  ],
  [
    'Selection and randomization are not obeyed',
    sequencingSays(
      'randomizationcontrols',
      ['randomizationtiming', /^(?!never$)./i],
      ['selectiontiming', /^(?!never$)./i],
    ),
  ],
  [
    'The delivery control tracked="false" is not obeyed',
    sequencingSays('deliverycontrols', ['tracked', no]),
  ],
  [
    'The delivery control completionSetByContent="true" is not obeyed',
    sequencingSays('deliverycontrols', ['completionsetbycontent', yes]),
  ],
  [
    'Constraints of the choice are not obeyed',
    sequencingSays(
      'constrainedchoiceconsiderations',
      ['preventactivation', yes],
      ['constrainchoice', yes],
    ),
  ],
  ['Auxiliary resources are not used', sequencingHas('auxiliaryresources', 'auxiliaryresource')],
  [
    'Weights of the progress are not used',
    ({ item }) =>
      /^(?!1(?:\.0*)?$)./.test(
        descend(item, 'completionthreshold')?.attributes['progressweight'] ?? '',
      ),
  ],
  [
    'Navigation controls of the player are not hidden',
    itemHas('presentation', 'navigationinterface', 'hidelmsui'),
  ],
  ['Shared data (adl.data) are not kept', itemHas('data', 'map')],
  ['objectivesGlobalToSystem="true" has no effect', itemSays('objectivesglobaltosystem', yes)],
  ['sharedDataGlobalToSystem has no effect', itemSays('shareddataglobaltosystem', anything)],
];

/**
 * Returns what the import saw in a package and the player does not obey, as sentences in English.
 * Each kind has one sentence, which names the first items that it concerns: the number and the
 * length of the warnings do not grow with the package.
 *
 * @param organization the organization that the structure was read from
 */
export async function readWarnings(
  manifest: XmlElement,
  organization: XmlElement,
  structure: CourseStructure,
  coursePackage: CoursePackage,
): Promise<string[]> {
  const collection = childrenOf(descend(manifest, 'sequencingcollection'), 'sequencing');
  const shared = new Map(collection.map((each) => [each.attributes['id'] ?? '', each]));
  const parts = partsOf(organization, shared);
  const warnings = disregarded.flatMap(([warning, applies]) => {
    const concerned = parts.filter(applies);
    return concerned.length === 0 ? [] : [withItems(warning, concerned)];
  });
  const others = childrenOf(descend(manifest, 'organizations'), 'organization').length - 1;
  if (others > 0) warnings.push('Only one of the organizations is imported.');
  if (childrenOf(manifest, 'manifest').length > 0) warnings.push('Sub-manifests are not imported.');
  const assets = launchablesOf(structure.root).filter(({ resource }) => resource.type === 'ASSET');
  const users = await findApiUsers(assets, coursePackage);
  if (users.length > 0) {
    warnings.push(
      withItems('Marked as an asset, but calls the API: completed as soon as it is opened', users),
    );
  }
  return warnings;
}

function partsOf(item: XmlElement, shared: ReadonlyMap<string, XmlElement>): Part[] {
  const own = descend(item, 'sequencing');
  const referred = shared.get(own?.attributes['idref'] ?? '');
  const part = {
    id: item.attributes['identifier'] ?? '',
    item,
    sequencing: [own, referred].filter((each) => each !== undefined),
  };
  return [part, ...childrenOf(item, 'item').flatMap((child) => partsOf(child, shared))];
}

function withItems(warning: string, parts: readonly { readonly id: string }[]): string {
  const names = parts
    .slice(0, shownItems.number)
    .map(({ id }) => (id.length > shownItems.length ? `${id.slice(0, shownItems.length)}…` : id));
  const rest = parts.length - names.length;
  return `${warning} (${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}).`;
}
