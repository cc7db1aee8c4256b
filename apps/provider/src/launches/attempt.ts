import type { LearningStandard } from '../packages/course-structure.ts';
import { hasRuntime, type RuntimeData } from '../results/runtime.ts';
import type { ActivityState } from './roll-up-registration.ts';

/** The stored state of a SCO that was opened before. */
export type StoredAttempt = Pick<ActivityState, 'attempts' | 'suspended' | 'runtime'>;

/** The data with which a SCO starts. */
export interface AttemptStart {
  readonly attempts: number;
  /** `cmi.core.entry` in SCORM 1.2, `cmi.entry` in SCORM 2004. */
  readonly entry: 'ab-initio' | 'resume' | '';
  /** The data of earlier sessions. */
  readonly runtime: RuntimeData;
}

/**
 * Decides how a SCO starts. An attempt that was suspended, or whose window was closed, is resumed.
 * After an attempt that ended, a new one begins: in SCORM 2004 with empty data (SCORM 2004 RTE
 * 2.1.1), in SCORM 1.2, which has no such reset, with the data of the last one.
 */
export function beginAttempt(
  standard: LearningStandard,
  stored: StoredAttempt | undefined,
): AttemptStart {
  if (!stored) return { attempts: 1, entry: 'ab-initio', runtime: {} };
  const { attempts, suspended, runtime } = stored;
  if (suspended) {
    return { attempts, entry: hasRuntime(runtime) ? 'resume' : 'ab-initio', runtime };
  }
  return standard === 'SCORM12'
    ? { attempts: attempts + 1, entry: '', runtime }
    : { attempts: attempts + 1, entry: 'ab-initio', runtime: {} };
}
