import {
  childSets,
  conditionNames,
  rollupActions,
  type RollupRule,
  type RuleCondition,
  ruleActions,
  type RuleKind,
  requirements,
  type Rollup,
  type SequencingDefinition,
  type SequencingRule,
  timings,
} from './sequencing-definition.ts';
import { identifierIn } from './read-objectives.ts';
import { childrenOf, descend, numberIn, type XmlElement } from './parse-xml.ts';

/**
 * Merges the sequencing of an item with the one of the collection that it refers to: each kind of
 * element is taken from the item, if the item has it (SCORM 2004 CAM 5.2). ADL's extension has a list
 * of objectives of its own, without a primary one.
 */
export function mergedSequencing(
  own: XmlElement | undefined,
  shared: XmlElement | undefined,
): XmlElement | undefined {
  if (!own || !shared) return own;
  const kinds = new Set(own.children.map(kindOf));
  return {
    ...own,
    children: [...own.children, ...shared.children.filter((child) => !kinds.has(kindOf(child)))],
  };
}

const kindOf = (element: XmlElement) =>
  element.name === 'objectives' && !descend(element, 'primaryobjective')
    ? 'extended objectives'
    : element.name;

/**
 * Reads the sequencing of an activity; undefined if it has none.
 *
 * @param sequencing the element `sequencing` that applies
 * @param progressWeight of the completion threshold; null for the default
 */
export function readSequencing(
  sequencing: XmlElement | undefined,
  progressWeight: number | null,
): SequencingDefinition | undefined {
  const definition: SequencingDefinition = {
    ...presentAt('controlMode', flagsOf(descend(sequencing, 'controlmode'), controlModes)),
    ...rulesOf(sequencing, 'preConditionRules'),
    ...rulesOf(sequencing, 'exitConditionRules'),
    ...rulesOf(sequencing, 'postConditionRules'),
    ...attemptLimitOf(sequencing),
    ...presentAt('rollup', rollupOf(sequencing, progressWeight)),
    ...presentAt('rollupRules', rollupRulesOf(sequencing)),
    ...selectionOf(descend(sequencing, 'randomizationcontrols')),
    ...presentAt('delivery', flagsOf(descend(sequencing, 'deliverycontrols'), deliveryControls)),
    ...presentAt(
      'constrainedChoice',
      flagsOf(descend(sequencing, 'constrainedchoiceconsiderations'), constraints),
    ),
  };
  return Object.keys(definition).length > 0 ? definition : undefined;
}

const controlModes = [
  'choice',
  'choiceExit',
  'flow',
  'forwardOnly',
  'useCurrentAttemptObjectiveInfo',
  'useCurrentAttemptProgressInfo',
] as const;
const deliveryControls = ['tracked', 'completionSetByContent', 'objectiveSetByContent'] as const;
const constraints = ['preventActivation', 'constrainChoice'] as const;

/** Returns the value under a name, or nothing if it is empty. */
function presentAt<Name extends string, Value extends object>(name: Name, value: Value) {
  return Object.keys(value).length > 0 ? ({ [name]: value } as Record<Name, Value>) : undefined;
}

/** Reads a boolean of XML Schema; undefined if it is absent or malformed. */
export function flagIn(text: string | undefined): boolean | undefined {
  if (/^(?:true|1)$/i.test(text ?? '')) return true;
  return /^(?:false|0)$/i.test(text ?? '') ? false : undefined;
}

function flagsOf<Name extends string>(
  element: XmlElement | undefined,
  names: readonly Name[],
): Partial<Record<Name, boolean>> {
  const flags: Partial<Record<Name, boolean>> = {};
  for (const name of names) {
    const flag = flagIn(element?.attributes[name.toLowerCase()]);
    if (flag !== undefined) flags[name] = flag;
  }
  return flags;
}

/** Finds a token of a vocabulary, in any case of letters. */
const tokenOf = <Token extends string>(text: string | undefined, tokens: readonly Token[]) =>
  tokens.find((token) => token.toLowerCase() === text?.toLowerCase());

function rulesOf(
  sequencing: XmlElement | undefined,
  kind: RuleKind,
): Partial<Record<RuleKind, SequencingRule[]>> | undefined {
  const elements = childrenOf(
    descend(sequencing, 'sequencingrules'),
    kind.slice(0, -1).toLowerCase(),
  );
  const rules = elements.flatMap((element) => {
    const action = tokenOf<SequencingRule['action']>(
      descend(element, 'ruleaction')?.attributes['action'],
      ruleActions[kind],
    );
    const conditions = descend(element, 'ruleconditions');
    if (!action) return [];
    return {
      action,
      combination:
        conditions?.attributes['conditioncombination'] === 'any'
          ? ('any' as const)
          : ('all' as const),
      conditions: childrenOf(conditions, 'rulecondition').flatMap(conditionOf),
    };
  });
  return presentAt(kind, rules);
}

function conditionOf({ attributes }: XmlElement): RuleCondition[] {
  const name = tokenOf(attributes['condition'], conditionNames);
  if (!name) return [];
  const threshold = numberIn(attributes['measurethreshold'], -1, 1);
  const objective = identifierIn(attributes['referencedobjective']);
  return [
    {
      name,
      ...(attributes['operator'] === 'not' && { not: true }),
      ...(objective && { objective }),
      ...(threshold !== null && { threshold }),
    },
  ];
}

function attemptLimitOf(sequencing: XmlElement | undefined) {
  const limit = descend(sequencing, 'limitconditions')?.attributes['attemptlimit'];
  const attemptLimit = numberIn(limit, 0, Number.MAX_SAFE_INTEGER);
  return attemptLimit === null ? undefined : { attemptLimit };
}

function rollupOf(
  sequencing: XmlElement | undefined,
  progressWeight: number | null,
): Partial<Rollup> {
  const rules = descend(sequencing, 'rolluprules')?.attributes ?? {};
  const considerations = descend(sequencing, 'rollupconsiderations')?.attributes ?? {};
  const objectiveSatisfied = flagIn(rules['rollupobjectivesatisfied']);
  const progressCompletion = flagIn(rules['rollupprogresscompletion']);
  const objectiveMeasureWeight = numberIn(rules['objectivemeasureweight'], 0, 1);
  const ifActive = flagIn(considerations['measuresatisfactionifactive']);
  const requiredFor = Object.fromEntries(
    rollupActions.flatMap((action) => {
      const requirement = tokenOf(
        considerations[`requiredfor${action.toLowerCase()}`],
        requirements,
      );
      return requirement ? [[action, requirement] as const] : [];
    }),
  );
  return {
    ...(objectiveSatisfied !== undefined && { objectiveSatisfied }),
    ...(progressCompletion !== undefined && { progressCompletion }),
    ...(objectiveMeasureWeight !== null && { objectiveMeasureWeight }),
    ...(progressWeight !== null && { progressWeight }),
    ...presentAt('requiredFor', requiredFor),
    ...(ifActive !== undefined && { measureSatisfactionIfActive: ifActive }),
  };
}

function rollupRulesOf(sequencing: XmlElement | undefined): RollupRule[] {
  const elements = childrenOf(descend(sequencing, 'rolluprules'), 'rolluprule');
  return elements.flatMap((element) => {
    const action = tokenOf(descend(element, 'rollupaction')?.attributes['action'], rollupActions);
    if (!action) return [];
    const conditions = descend(element, 'rollupconditions');
    const children = tokenOf(element.attributes['childactivityset'], childSets) ?? 'all';
    const minimum =
      children === 'atLeastCount'
        ? numberIn(element.attributes['minimumcount'], 0, Number.MAX_SAFE_INTEGER)
        : numberIn(element.attributes['minimumpercent'], 0, 1);
    return {
      action,
      children,
      ...(minimum !== null && { minimum }),
      combination:
        conditions?.attributes['conditioncombination'] === 'all'
          ? ('all' as const)
          : ('any' as const),
      conditions: childrenOf(conditions, 'rollupcondition').flatMap(conditionOf),
    };
  });
}

function selectionOf(
  element: XmlElement | undefined,
): Pick<SequencingDefinition, 'selection'> | undefined {
  const attributes = element?.attributes ?? {};
  const selectionTiming = tokenOf(attributes['selectiontiming'], timings) ?? 'never';
  const randomizationTiming = tokenOf(attributes['randomizationtiming'], timings) ?? 'never';
  if (selectionTiming === 'never' && randomizationTiming === 'never') return undefined;
  const selectCount = numberIn(attributes['selectcount'], 0, Number.MAX_SAFE_INTEGER);
  return {
    selection: {
      selectionTiming,
      ...(selectCount !== null && { selectCount }),
      randomizationTiming,
      reorderChildren: flagIn(attributes['reorderchildren']) ?? false,
    },
  };
}
