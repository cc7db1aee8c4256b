export { describeIsolationAndScale } from './describe-isolation-and-scale.ts';
export { describeReadme } from './documentation.ts';
export { describeSystem } from './describe-system.ts';
