import type { ConformanceCase } from './conformance-case.ts';
import { type Paragraph, paragraphs } from './contract.ts';

/** Paragraphs that no case names. */
export function uncovered(cases: readonly ConformanceCase[]): Paragraph[] {
  const named = new Set(cases.flatMap(({ covers }) => covers));
  return paragraphs.filter((paragraph) => !named.has(paragraph));
}

/**
 * @throws when a paragraph is named by no case, a case names none or an unknown one, or two cases
 * share a name
 */
export function checkCoverage(cases: readonly ConformanceCase[]): void {
  const known = new Set(paragraphs);
  const faults = [
    ...uncovered(cases).map((paragraph) => `no case names ${paragraph}`),
    ...cases
      .filter(({ covers }) => covers.length === 0)
      .map(({ name }) => `no paragraph is named by: ${name}`),
    ...cases.flatMap(({ name, covers }) =>
      covers
        .filter((paragraph) => !known.has(paragraph))
        .map((paragraph) => `there is no ${paragraph}, named by: ${name}`),
    ),
    ...cases
      .filter(({ name }, index) => cases.findIndex((each) => each.name === name) < index)
      .map(({ name }) => `two cases have the name: ${name}`),
  ];
  if (faults.length > 0) throw new Error(faults.join('; '));
}

/** What a client cannot see, or not in a moment, and who tries it instead. */
export const coveredElsewhere: readonly {
  readonly paragraph: Paragraph;
  readonly what: string;
  readonly where: string;
}[] = [
  {
    paragraph: 'decision 1',
    what: 'another API root: a run sees one installation',
    where: 'the gateway’s suite',
  },
  {
    paragraph: 'decision 9',
    what: 'the warning that a secret was sent to a browser stands in the server’s log',
    where: 'the gateway’s suite',
  },
  {
    paragraph: 'decision 10',
    what: 'an allow-list of origins is a setting of the installation',
    where: 'the gateway’s suite',
  },
  {
    paragraph: 'decision 11',
    what: '503 needs a dependency that is away, 504 one that is slow',
    where: 'the end-to-end suite and the gateway’s suite',
  },
  {
    paragraph: 'decision 13',
    what: '404 where several provider applications leave a choice: the realm has one',
    where: 'the suites of catalog and enrolment',
  },
  {
    paragraph: 'decision 14',
    what: 'that realms do not see each other: a run has one realm',
    where: 'the suites of identity, catalog and enrolment',
  },
  {
    paragraph: 'api-v2: Authentication, 4',
    what: 'that a key is refused once it has expired: only expires_at is looked at here',
    where: 'identity’s suite',
  },
  {
    paragraph: 'api-v2: Authentication, 5',
    what: 'keeping secrets out of browsers is up to clients',
    where: 'nowhere; the answers to secret pairs carry no CORS header',
  },
  {
    paragraph: 'api-v2: Authentication, 7',
    what: 'the cause of a 401 stands in the server’s log',
    where: 'the end-to-end suite',
  },
  {
    paragraph: 'api-v2: Limits, the provider caps registrations',
    what: 'the cap belongs to the provider’s account; a refusal of another kind is tried here',
    where: 'the suite of the course-provider port',
  },
  {
    paragraph: 'api-v2: Registration: launch_url, redirect_url',
    what: 'the way back needs a browser that plays the course',
    where: 'the end-to-end suite',
  },
  {
    paragraph: 'api-v2: Registration record, full_result',
    what: 'it is filled only when the crawler runs in full mode',
    where: 'enrolment’s suite',
  },
  {
    paragraph: 'api-v2: Registration record, score',
    what: 'results of a learner who plays the course',
    where: 'the end-to-end suite',
  },
  {
    paragraph: 'decision 27',
    what: 'an operator’s own queries and their parameters: operators have no HTTP API',
    where: 'enrolment’s suite',
  },
  {
    paragraph: 'decision 29',
    what: 'what a slow provider does not answer in time',
    where: 'enrolment’s suite',
  },
];
