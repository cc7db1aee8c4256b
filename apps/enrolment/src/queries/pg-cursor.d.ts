declare module 'pg-cursor' {
  import type { Connection, CustomTypesConfig, FieldDef, Submittable } from 'pg';

  /** Rows of a query, as many at a time as they are asked for. */
  export default class Cursor<Row> implements Submittable {
    constructor(
      text: string,
      values: unknown[],
      config: { rowMode: 'array'; types: CustomTypesConfig },
    );
    submit(connection: Connection): void;
    read(
      count: number,
      callback: (
        error: Error | null | undefined,
        rows: Row[],
        result: { fields: FieldDef[] },
      ) => void,
    ): void;
    close(): Promise<void>;
  }
}
