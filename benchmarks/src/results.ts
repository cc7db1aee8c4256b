import { median } from './measure.ts';
import { groupsOfSystem, type ProcessGroup } from './system/process-usage.ts';

/** Processor time in milliseconds for each unit of work, by group of processes. */
export type CpuTimes = Readonly<Partial<Record<ProcessGroup, number>>>;

/** What one system reached in one round. Absent figures do not apply to the scenario. */
export interface Round {
  /** Units of work a second; {@link CompareResult.unit}. */
  readonly rate?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly firstByteMs?: number;
  readonly seconds?: number;
  /** What a browser transfers: MB. */
  readonly transferMb?: number;
  /** Calls of the course provider. */
  readonly calls?: number;
  /** What PostgreSQL wrote into its write-ahead log: MB. */
  readonly walMb?: number;
  /** The most by which a process of the system grew: MB. */
  readonly growthMb?: number;
  /** Memory of the system's processes without the stores: MB. Shared pages count in parts. */
  readonly memoryMb?: number;
  readonly cpuMs?: CpuTimes;
}
export type FigureName = Exclude<keyof Round, 'cpuMs'> | 'cpu';

/** The rounds of one system. */
export interface SystemRounds {
  /** `distributed`, `standalone`, or the name of a baseline. */
  readonly system: string;
  readonly rounds: readonly Round[];
}

/** A required relation to a baseline, or a required value. */
export interface Target {
  readonly figure: FigureName;
  /** The baseline; absent for a required value. */
  readonly baseline?: string;
  /** Subtracts the baseline's figure instead of dividing by it. */
  readonly isDifference?: boolean;
  readonly min?: number;
  readonly max?: number;
}

export interface TargetResult extends Target {
  readonly measured: number;
  readonly isMet: boolean;
}

/** One scenario: the system first, then its baselines. */
export interface CompareResult {
  readonly scenario: string;
  /** The unit of work, such as `requests`. */
  readonly unit: string;
  readonly systems: readonly SystemRounds[];
  readonly targets: readonly TargetResult[];
}

/** Returns a figure of a round; NaN where it does not apply. */
function figureOf(round: Round, figure: FigureName): number {
  if (figure !== 'cpu') return round[figure] ?? NaN;
  // What the load generator uses is not the system's.
  return groupsOfSystem.reduce((sum, group) => sum + (round.cpuMs?.[group] ?? 0), 0);
}

/** Returns the median of a figure over all rounds; NaN where it does not apply. */
export const medianOf = ({ rounds }: SystemRounds, figure: FigureName): number =>
  median(rounds.map((round) => figureOf(round, figure)));

/** Returns the median processor time of a group over all rounds; NaN where it does not apply. */
export const medianCpuOf = ({ rounds }: SystemRounds, group: ProcessGroup): number =>
  median(rounds.map(({ cpuMs }) => cpuMs?.[group] ?? NaN));

/**
 * Returns the median over the rounds of a system's figure in relation to the baseline's in the same
 * round, so that whatever else the machine does affects both.
 */
export function relationOf(
  ours: SystemRounds,
  baseline: SystemRounds,
  { figure, isDifference = false }: Pick<Target, 'figure' | 'isDifference'>,
): number {
  return median(
    ours.rounds.map((round, at) => {
      const [own, other] = [round, baseline.rounds[at] ?? {}].map((each) => figureOf(each, figure));
      return isDifference ? own! - other! : own! / other!;
    }),
  );
}

/** Judges the rounds of a scenario by its targets. */
export function compareSystems(
  scenario: string,
  unit: string,
  systems: readonly SystemRounds[],
  targets: readonly Target[],
): CompareResult {
  const [ours] = systems;
  if (!ours) throw new Error(`${scenario} has no system`);
  const judged = targets.map((target) => {
    const baseline = systems.find(({ system }) => system === target.baseline);
    const measured = baseline ? relationOf(ours, baseline, target) : medianOf(ours, target.figure);
    const { min = -Infinity, max = Infinity } = target;
    return { ...target, measured, isMet: measured >= min && measured <= max };
  });
  return { scenario, unit, systems, targets: judged };
}
