/** The part of `sql.js` that is used here; its published types know no big integers. */

export interface NativeStatement {
  bind(values: readonly unknown[]): boolean;
  step(): boolean;
  get(values: null, settings: { readonly useBigInt: boolean }): unknown[];
  getColumnNames(): string[];
  free(): void;
}

export interface NativeDatabase {
  /** Several statements, without values. */
  exec(sql: string): unknown;
  prepare(sql: string): NativeStatement;
  getRowsModified(): number;
  close(): void;
}

export interface Sqlite {
  readonly Database: new () => NativeDatabase;
}

export default function initSqlite(): Promise<Sqlite>;
