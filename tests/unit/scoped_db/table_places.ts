/** The places of SQL where a table can be named, as statements over the desk's tables. */

export type Use = (name: string) => string;

/** Every place where a table can be read. */
export const SOURCES: readonly Use[] = [
  (name) => `select * from ${name}`,
  (name) => `select * from ${name}('x')`,
  (name) => `select * from "${name}" where 1`,
  (name) => `select * from '${name}'`,
  (name) => `select * from main.${name}`,
  (name) => `select * from tickets, ${name}`,
  (name) => `select * from tickets window, ${name}`,
  (name) => `with window as (select 1) select * from window w, ${name}`,
  (name) => `select * from tickets window not indexed, ${name}`,
  (name) => `select * from tickets window indexed by i, ${name}`,
  (name) => `select * from tickets as t join comments as c on c.id = t.id, [${name}]`,
  (name) => `select * from tickets natural left join ${name}`,
  (name) => `select * from (${name})`,
  (name) => `select * from (tickets, (${name} as n))`,
  (name) => `select id from tickets union select * from ${name}`,
  (name) => `select 1 in ${name}`,
  (name) => `select 1 not in ${name}('x')`,
  (name) => `select exists (select 1 from ${name})`,
  (name) => `with x as (with ${name} as (select 1) select 1) select * from ${name}`,
  (name) => `select 1 from (with ${name} as (select 1) select 1), ${name}`,
  (name) => `select sum(1) over ${name} from ${name} window ${name} as (order by 1)`,
  (name) => `update comments set body = 'x' from ${name}`,
  (name) => `delete from ${name} where true`,
  (name) => `insert into comments (id, body) select 'x', 'y' from ${name}`,
  (name) =>
    `insert into comments (id, body) with ${name} as (select 1) select 'x', 'y' returning (select 1 from ${name})`,
  (name) => `insert into comments (body) values ('x') returning (select 1 from ${name})`,
];
