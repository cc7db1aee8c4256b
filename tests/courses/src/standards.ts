/** The standards in which packages are made, as the table names them. */
export const standards = ['1.2', '2004 3rd Edition', '2004 4th Edition'] as const;
export type Standard = (typeof standards)[number];

export const isScorm12 = (standard: Standard): boolean => standard === '1.2';
