export { describeAccessMatrix } from './access-matrix.ts';
export { describeScale } from './describe-scale.ts';
export { describeReadme } from './documentation.ts';
export { describeSystem } from './describe-system.ts';
