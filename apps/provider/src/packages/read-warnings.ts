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

type Test = (part: Part) => boolean;

/** Tests for elements at a path of names; with `values`, for those of which an attribute has one of these values. */
const elementsOf =
  (rootsOf: (part: Part) => readonly XmlElement[]) =>
  (path: string, values?: Readonly<Record<string, RegExp>>): Test =>
  (part) =>
    path
      .split('/')
      .filter(Boolean)
      .reduce((above, name) => above.flatMap((each) => childrenOf(each, name)), rootsOf(part))
      .some(
        ({ attributes }) =>
          !values ||
          Object.entries(values).some(([name, value]) => value.test(attributes[name] ?? '')),
      );
const item = elementsOf((part) => [part.item]);
const sequencing = elementsOf((part) => part.sequencing);
const anyOf =
  (...tests: readonly Test[]): Test =>
  (part) =>
    tests.some((test) => test(part));

const yes = /^(?:true|1)$/i;
const no = /^(?:false|0)$/i;
const anything = /./;
const notNever = /^(?!never$)./i;
const notOne = /^(?!1(?:\.0*)?$)./;

/**
 * What manifests say and the player does not obey (docs/scorm-runtime.md): SCORM 1.2 CAM 2.3.5,
 * SCORM 2004 CAM 3.4.1 and 5.1.
 */
const disregarded: Readonly<Record<string, Test>> = {
  'Prerequisites are not obeyed': item('prerequisites'),
  'The mastery score decides only where the content reports a score and no status':
    item('masteryscore'),
  'Sequencing rules are not obeyed': anyOf(
    sequencing('sequencingrules/preconditionrule'),
    sequencing('sequencingrules/exitconditionrule'),
    sequencing('sequencingrules/postconditionrule'),
  ),
  'The control mode choice="false" is not obeyed: learners can open every part': sequencing(
    'controlmode',
    { choice: no },
  ),
  'The control mode choiceExit="false" is not obeyed': sequencing('controlmode', {
    choiceexit: no,
  }),
  'The control mode flow="false" is not obeyed': sequencing('controlmode', { flow: no }),
  'The control mode forwardOnly="true" is not obeyed': sequencing('controlmode', {
    forwardonly: yes,
  }),
  'The control mode useCurrentAttempt…Info="false" is not obeyed': sequencing('controlmode', {
    usecurrentattemptobjectiveinfo: no,
    usecurrentattemptprogressinfo: no,
  }),
  'Attempt limits are not obeyed': sequencing('limitconditions', { attemptlimit: anything }),
  'Limits of time other than attemptAbsoluteDurationLimit are not obeyed': sequencing(
    'limitconditions',
    {
      attemptexperienceddurationlimit: anything,
      activityabsolutedurationlimit: anything,
      activityexperienceddurationlimit: anything,
      begintimelimit: anything,
      endtimelimit: anything,
    },
  ),
  'Rollup rules are not obeyed': anyOf(
    sequencing('rolluprules/rolluprule'),
    sequencing('rolluprules', {
      rollupobjectivesatisfied: no,
      rollupprogresscompletion: no,
      objectivemeasureweight: notOne,
    }),
    (part) =>
      part.sequencing
        .flatMap((each) => childrenOf(each, 'rollupconsiderations'))
        .some(({ attributes }) => Object.keys(attributes).length > 0),
  ),
  'Selection and randomization are not obeyed': sequencing('randomizationcontrols', {
    randomizationtiming: notNever,
    selectiontiming: notNever,
  }),
  'The delivery control tracked="false" is not obeyed': sequencing('deliverycontrols', {
    tracked: no,
  }),
  'The delivery control completionSetByContent="true" is not obeyed': sequencing(
    'deliverycontrols',
    { completionsetbycontent: yes },
  ),
  'Constraints of the choice are not obeyed': sequencing('constrainedchoiceconsiderations', {
    preventactivation: yes,
    constrainchoice: yes,
  }),
  'Auxiliary resources are not used': sequencing('auxiliaryresources/auxiliaryresource'),
  'Weights of the progress are not used': item('completionthreshold', {
    progressweight: notOne,
  }),
  'Navigation controls of the player are not hidden': item(
    'presentation/navigationinterface/hidelmsui',
  ),
  'Shared data (adl.data) are not kept': item('data/map'),
  'objectivesGlobalToSystem="true" has no effect': item('', { objectivesglobaltosystem: yes }),
  'sharedDataGlobalToSystem has no effect': item('', { shareddataglobaltosystem: anything }),
};

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
  const warnings = Object.entries(disregarded).flatMap(([warning, applies]) => {
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
