import { type TemplateRecord, toTimestamp } from '#libs/contracts';

/** A template as {@link templateColumns} select it. */
export type TemplateRow = Omit<TemplateRecord, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

export const templateColumns = 'id, name, body, markup, mimetype, realm_id, created_at, updated_at';

/** The template record of decision 26. */
export const templateRecord = (row: TemplateRow): TemplateRecord => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});
