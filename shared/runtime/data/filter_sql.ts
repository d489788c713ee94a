/** Filters and search of a query string as SQL (contract 4.3). */
import type { FilterOperator } from "../../column_types/mod.ts";
import type { SqlValue } from "../ports.ts";
import { columnOf } from "./catalog.ts";
import { cellSql, equalsSql, firewallSql, inSql, notEqualsSql, ruleSql } from "./condition_sql.ts";
import { allOf, anyOf, type Fragment, fragment, NO_ROW } from "./sql.ts";
import type { Filter, Firewall, PageQuery } from "./types.ts";

/** Every condition of a page: firewall and rule first, then what the caller asks. */
export function matchingSql(query: PageQuery, alias: string): Fragment {
  const { firewall, rule, filters, search } = query;
  const scope = { firewall, alias };
  return allOf([
    firewallSql(firewall, alias),
    ...(rule === null ? [] : [ruleSql(rule, scope)]),
    ...filters.map((filter) => filterSql(filter, scope)),
    ...(search === null ? [] : [searchSql(search, scope)]),
  ]);
}

interface Scope {
  readonly firewall: Firewall;
  readonly alias: string;
}

type FilterSql = (cell: string, values: readonly SqlValue[]) => Fragment;

const FILTERS: Readonly<Record<FilterOperator, FilterSql>> = {
  eq: (cell, [value = null]) => equalsSql(cell, value),
  ne: (cell, [value = null]) => notEqualsSql(cell, value),
  gt: ordered(">"),
  gte: ordered(">="),
  lt: ordered("<"),
  lte: ordered("<="),
  like: (cell, [value = null]) => containsSql(cell, value),
  in: inSql,
  null: (cell, [value]) => fragment(`${cell} IS ${value === 1 ? "" : "NOT "}NULL`),
};

function ordered(symbol: string): FilterSql {
  return (cell, [value = null]) => value === null ? NO_ROW : fragment(`${cell} ${symbol} ?`, value);
}

function filterSql({ column, operator, values }: Filter, { firewall, alias }: Scope): Fragment {
  return FILTERS[operator](cellSql(columnOf(firewall.table, column), alias), values);
}

function searchSql(search: NonNullable<PageQuery["search"]>, { firewall, alias }: Scope): Fragment {
  return anyOf(
    search.columns.map((name) =>
      containsSql(cellSql(columnOf(firewall.table, name), alias), search.text)
    ),
  );
}

/** A substring, whatever its case in ASCII; `%`, `_` and `\` stand for themselves. */
function containsSql(cell: string, value: SqlValue): Fragment {
  if (value === null) return NO_ROW;
  const pattern = `%${String(value).replace(/[\\%_]/g, "\\$&")}%`;
  return fragment(`${cell} LIKE ? ESCAPE '\\'`, pattern);
}
