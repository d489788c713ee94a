/** Types of the used part of `sql.js`; its published types have no big integers. */

export interface NativeStatement {
  bind(values: readonly unknown[]): boolean;
  step(): boolean;
  get(values: null, settings: { readonly useBigInt: boolean }): unknown[];
  getColumnNames(): string[];
  free(): void;
}

export interface NativeDatabase {
  /** Runs several statements, without values. */
  exec(sql: string): unknown;
  prepare(sql: string): NativeStatement;
  getRowsModified(): number;
  close(): void;
}

export interface Sqlite {
  readonly Database: new () => NativeDatabase;
}

export default function initSqlite(): Promise<Sqlite>;
