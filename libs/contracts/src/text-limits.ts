/** The longest texts that requests may hold, in characters. The gateway and the contexts share them. */
export const textLimits = {
  /** User-defined data of any record (contract/parameters#custom-length). */
  custom: 65_536,
  /** A filter; no stored text that has a filter is longer. */
  filter: 65_536,
  description: 65_536,
  courseTitle: 1_000,
  /** A learner's first or last name. */
  personName: 255,
  /** Of an invitation or a template. */
  name: 255,
  templateBody: 1_048_576,
  markup: 100,
  mimetype: 255,
} as const;
