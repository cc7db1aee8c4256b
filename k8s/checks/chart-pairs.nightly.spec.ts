import { expect, it } from 'vitest';
import { type Choice, choices } from '../chart/components.ts';
import { renderProduction } from '../chart/overlay.ts';
import {
  byName,
  describeChart,
  helmTemplate,
  isHook,
  parseOutput,
  withoutMarks,
} from './chart-fixture.ts';
import type { Manifest } from './manifests.ts';

const pairs = choices.flatMap((one, index) =>
  choices
    .slice(index + 1)
    .filter((other) => other.of !== one.of)
    .map((other) => ({ one, other, title: `${titleOf(one)}, ${titleOf(other)}` })),
);

function titleOf({ of, value }: Choice): string {
  return `${of}: ${value}`;
}

/** The values of choices, as an object for each name with a dot. */
function valuesOf(pair: readonly Choice[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { of, value } of pair) {
    const [first = '', second] = of.split('.');
    if (second === undefined) values[first] = value;
    else values[first] = { ...(values[first] as object | undefined), [second]: value };
  }
  return values;
}

describeChart('two choices in the Helm chart', (directory) => {
  it.each(pairs)('render the same objects as Kustomize: $title', ({ one, other }) => {
    const { stdout } = helmTemplate(directory(), 'registrar', valuesOf([one, other]));
    const expected = renderProduction((overlay) => {
      one.apply(overlay);
      other.apply(overlay);
    }).filter(({ kind }) => kind !== 'Namespace');
    const rendered = parseOutput(stdout).filter((each) => !isHook(each));
    expect(withoutAddresses(rendered.map(withoutMarks))).toEqual(withoutAddresses(expected));
  });
});

/** The objects without the addresses of stores, which an overlay for existing stores names itself. */
const withoutAddresses = (manifests: readonly Manifest[]): unknown =>
  JSON.parse(
    JSON.stringify(byName(manifests)).replaceAll(/@[^/@"]+\/registrar\?/g, '@store/registrar?'),
  );
