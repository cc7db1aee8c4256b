import type { LearningStandard } from '../packages/course-structure.ts';
import type { RuntimeData } from './runtime.ts';
import { readScorm12 } from './scorm-12-runtime.ts';
import { readScorm2004, type Runtime } from './scorm-2004-runtime.ts';

/** Reads the run-time data of a SCO by the data model of its standard. */
export const readRuntime = (standard: LearningStandard, data: RuntimeData): Runtime =>
  standard === 'SCORM12' ? readScorm12(data) : readScorm2004(data);
