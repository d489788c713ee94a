/** Statements that change rows are taken and refused as SQLite does, which is asked beside. */
import { assertEquals } from "@std/assert";
import Database from "libsql";
import { bindStatement } from "../../../shared/lib/bind_statement.ts";
import { argumentsRefusal } from "../../../shared/lib/sql_function_arguments.ts";
import { RefusedSqlError } from "../../../shared/lib/sql_tokens.ts";

const TABLES = new Map([
  ["people", ["id", "first", "last", "full", "age", "created_at"]],
  ["days", ["id", "day", "data"]],
  ["items", ["id", "person_id", "n", "order"]],
]);

const TAKEN = [
  "update people set full = first || ' ' || last",
  "update people as p set full = p.first where p.last is not null and rowid > 3",
  "UPDATE people SET (full, age) = (SELECT day, id FROM days WHERE days.id = people.id) WHERE EXISTS (SELECT 1 FROM items i WHERE i.person_id = people.id)",
  "update people set full = d.day from days as d join items on items.person_id = d.id where d.id = people.id returning *, full as x",
  "insert into days (id, day) values (1,2),(3,4) on conflict (id) do update set day = excluded.day where days.day <> excluded.day",
  "insert into days select id, first, null from people where true on conflict do nothing",
  "insert into days (id) with recursive c(n) as (values(1) union all select n+1 from c where n<5) select n from c",
  "with recursive c(n) as (values(1) union all select n+1 from c where n<5) insert into days(id) select n from c",
  "with x as not materialized (select id as i from people) delete from people where id in (select i from x) or id in x",
  "delete from people where exists(select 1 from json_each(people.full) as e where e.value = 1)",
  "delete from people where (id, first) in (select id, day from days) or id not in (1,2,3) or age between 1 and 2 and first like 'a%' escape '!'",
  "update people set age = case when age isnull then 1 when not age then 2 else -age end, full = cast(age as varchar(3))",
  "update people set first = (select max(n) from items where person_id = people.id group by person_id having count(*) > 1 order by 1 desc nulls last limit 1 offset 0)",
  "insert into days (id, day) select id, row_number() over (partition by last order by first rows between unbounded preceding and current row exclude ties) from people",
  "insert into days (id, day) select id, sum(age) over w from people window w as (order by id)",
  "insert into days (id, day) select a, b from (select id as a, first as b from people union all select id, day from days) where a > 1",
  "insert into days (id, day) select p.id, d.* from people p, (select day from days) d",
  "insert into days default values",
  "replace into days (id) values (lower(hex(randomblob(16))))",
  "insert or ignore into days (id, day) values ('a', json_extract('{}', '$.x') ->> 'y')",
  "update people set \"full\" = [first] where `last` = 'x' collate nocase",
  'update items set "order" = n * -2 % 3 << 1',
  "update people set full = (with t as (select day from days) select day from t limit 1)",
  "delete from people where first is not distinct from last or first is distinct from null or 1 = not 0 or not exists (select 1)",
  "insert into days select * from days where id in (select id from days natural join people)",
  "update people set full = trim(first) where length(first) > 2 or date(created_at) < current_date",
  "insert into days(id, day) select count(distinct first) filter (where age > 1), group_concat(first, ',' order by first) from people",
  "update people set age = (select count(*) from items left outer join days using (id) where items.person_id = people.id)",
  "update people set full=coalesce(first,'') where id=+1 and age>=.5e3 or age!=0x10",
  "update people set full = (select key from days join json_each(days.data))",
  "update people not indexed set full == 1",
  "update people set full = iif(age > 3, 'a', 'b'), age = (1), first = ((select 'x'))",
  "delete from people where true and age = false",
  "update people set full = (select u.x from (select id as x from days union select id from items) as u)",
  "delete from days where id in (select id from people) and id in ()",
];

const ONE_ROW = (name: string) =>
  `"${name}" reads several rows, and stands where there is one: write a query in parentheses`;

const REFUSED: Readonly<Record<string, string>> = {
  "update people set full = substr(first)": '"substr" is called with 1 argument and takes 2 to 3',
  "update people set full = coalesce(first)":
    '"coalesce" is called with 1 argument and takes at least 2',
  "update people set full = upper()": '"upper" is called with 0 arguments and takes 1',
  "update people set full = (select count(distinct id, day) from days)":
    '"count" is called with 2 arguments and takes 0 to 1',
  "update people set age = count(*)": ONE_ROW("count"),
  "update people set age = 1 + max(age)": ONE_ROW("max"),
  "delete from people where age = sum(age)": ONE_ROW("sum"),
  "update people set age = row_number() over (order by id)": ONE_ROW("row_number"),
  "insert into days (id) values (1) on conflict (id) do update set day = max(day)": ONE_ROW("max"),
  "delete from people p where p.id = 1": '"p" is not expected here',
  "update people set age = 1 limit 1": '"limit" is not expected here',
  "insert into days (id) default values": '"default" is not expected here',
  'update people set "full" = ': "The statement ends too early",
  "update people set full = first,": "The statement ends too early",
  "delete from people where": "The statement ends too early",
  "update people set full = case when 1 then 2": "The statement ends too early",
  "delete people": '"people" is not expected here',
  "update people full = 1": '"full" is not expected here',
  "update people set full = select 1": '"select" is not expected here',
  "update people set full = first last": '"last" is not expected here',
  "insert days values (1, 2, 3)": '"days" is not expected here',
  "update people set nope = 1": '"nope" is no column of "people"',
  "update people as p set full = p.nope": '"nope" is no column of "p"',
  "update people as p set full = people.first": '"first" is no column of "people"',
  "update people set full = nope": '"nope" is no column here',
  "insert into days (id, nope) values (1, 2)": '"nope" is no column of "days"',
  "update people set full = 1 where id in (select nope from days)": '"nope" is no column here',
  "update people set full = (select a.nope from (select id from days) a)":
    '"nope" is no column of "a"',
  "with x as (select id from days) delete from people where id in (select day from x)":
    '"day" is no column here',
  "delete from people returning nope": '"nope" is no column here',
  "insert into days (id) values (1) on conflict (nope) do nothing": '"nope" is no column here',
  "insert into days (id) values (1) on conflict (id) do update set day = excluded.nope":
    '"nope" is no column of "excluded"',
  "update people set full = id from days":
    '"id" is a column of several tables here: write the table\'s name and a point before it',
  "insert into days (id, day) values (1, 2, 3)":
    '"values" gives the INSERT another number of values than it has columns: 3 instead of 2',
  "insert into days values (1)":
    '"values" gives the INSERT another number of values than it has columns: 1 instead of 3',
  "insert into days (id, day) values (1, 2), (3)": '"(" begins a row of another number of values',
  "insert into days (id) select id, day from days":
    '"select" gives the INSERT another number of values than it has columns: 2 instead of 1',
  "update people set full = (select id, day from days)":
    '"full" gets another number of values: 2 instead of 1',
  "update people set (full, age) = (select day from days)":
    '"(" gets another number of values: 1 instead of 2',
  "delete from people where id in (select id, day from days)":
    '"in" compares different numbers of columns: 2 instead of 1',
  "delete from people where id in (select * from days)":
    '"in" compares different numbers of columns: 3 instead of 1',
  "delete from people where id = (1, 2)":
    '"=" compares different numbers of columns: 2 instead of 1',
  "update people set full = coalesce(first, (select 1, 2))":
    '"(" has another number of columns than one: 2 instead of 1',
  "update people set full = (select day from days union select id, day from days)":
    '"union" joins queries of different numbers of columns: 2 instead of 1',
};

function refusal(sql: string): string | null {
  try {
    bindStatement(sql, TABLES);
    return null;
  } catch (error) {
    if (error instanceof RefusedSqlError) return error.message;
    throw error;
  }
}

function engineTakes(database: Database.Database, sql: string): boolean {
  try {
    database.prepare(sql);
    return true;
  } catch {
    return false;
  }
}

Deno.test("bindStatement() takes what the database takes, and refuses what it refuses", () => {
  const database = new Database(":memory:");
  for (const [table, columns] of TABLES) {
    const listed = columns.map((name) => `"${name}"${name === "id" ? " PRIMARY KEY" : ""}`);
    database.exec(`CREATE TABLE ${table} (${listed.join(", ")})`);
  }
  for (const sql of TAKEN) {
    assertEquals([refusal(sql), engineTakes(database, sql)], [null, true], sql);
  }
  for (const [sql, message] of Object.entries(REFUSED)) {
    assertEquals([refusal(sql), engineTakes(database, sql)], [message, false], sql);
  }
  database.close();
});

Deno.test("bindStatement() takes no quoted name for a text, although SQLite does", () => {
  assertEquals(
    refusal('update people set full = "nope"'),
    '"nope" is no column here: texts stand in single quotes',
  );
});

Deno.test("bindStatement() says which columns get a value", () => {
  const written = (sql: string) => bindStatement(sql, TABLES);
  assertEquals(written("update people set (Full, age) = (1, 2), last = 3"), {
    written: ["full", "age", "last"],
    isUpdate: true,
  });
  assertEquals(written("insert into days select * from days").written, ["id", "day", "data"]);
  assertEquals(written("delete from days"), { written: [], isUpdate: false });
});

Deno.test("argumentsRefusal() knows the numbers that the database knows", () => {
  const database = new Database(":memory:");
  const rows = database.prepare(
    "SELECT name, min(narg) AS least, max(narg) AS most FROM pragma_function_list WHERE type <> 'a' GROUP BY name",
  ).all();
  let known = 0;
  for (const row of rows) {
    const { name, least, most } = Object(row);
    for (const count of [0, 1, 2, 3, 4]) {
      if (argumentsRefusal(name, count) === null) continue;
      known += 1;
      assertEquals([name, count, least >= 0 && count >= least && count <= most], [
        name,
        count,
        false,
      ]);
    }
  }
  assertEquals(known > 100, true);
  database.close();
});
