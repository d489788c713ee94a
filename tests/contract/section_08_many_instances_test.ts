/**
 * Three instances with copies, one primary and Redis, each of which is killed and held still under load (definitions 8, answers
 * T5 to T10). `deno task chaos` goes on for as long as it is told to.
 */
import { assert, assertEquals } from "@std/assert";
import { chaos } from "../support/many_instances.ts";
import { redisMissing } from "../support/redis_server.ts";
import { sqld } from "../support/sqld.ts";

const SEED = Number(Deno.env.get("SEED") ?? 1);
/** Each kind once. */
const ACTIONS = 9;

const program = await sqld();

Deno.test({
  name:
    "whatever is killed or held still, no write and no event is lost, and no right outlives its bound",
  ignore: program === null || redisMissing() !== null,
  async fn() {
    const figures = await chaos({ sqld: program ?? "", actions: ACTIONS, seed: SEED });
    const { done, written, wrong, emitted, undelivered, underTwoIds, rights, heard } = figures;
    assertEquals(Object.values(done), Array.from({ length: ACTIONS }, () => 1));
    assertEquals({ wrong, undelivered, underTwoIds, outlived: rights.outlived }, {
      wrong: [],
      undelivered: [],
      underTwoIds: [],
      outlived: [],
    });
    const { keyed = 0, once = 0 } = written;
    assert(keyed > 0 && once > 0 && emitted > 0, JSON.stringify(figures));
    assert(rights.turns > 0 && rights.refused > 0 && heard.rows > 0, JSON.stringify(figures));
  },
});
