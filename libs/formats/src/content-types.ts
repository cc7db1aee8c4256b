/** Formats of a response (contract/formats#format). */
export const formats = ['json', 'xml', 'csv'] as const;
export type Format = (typeof formats)[number];

export const contentTypes = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const satisfies Record<Format, string>;
