import sql from 'sql-template-tag';

export { empty, join, raw, type Sql } from 'sql-template-tag';
export { sql };
