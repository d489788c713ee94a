/** Places that a server's answers name, over the end of its log (definitions 8, `DATABASE_REPLICA`). */
import { assertEquals } from "@std/assert";
import { heardPositions } from "../../../library/platform/libsql/positions.ts";

function hear(positions: ReturnType<typeof heardPositions>, place: number): void {
  positions.sent(true)(`{"replication_index":"${place}"}`);
}

Deno.test("a server that counts anew is believed, and what it said meanwhile is kept", () => {
  const positions = heardPositions();
  hear(positions, 30);
  hear(positions, 29);
  assertEquals(positions.last(), "30");
  const restarted = positions.restart();
  assertEquals(positions.last(), "30");
  hear(positions, 3);
  restarted("2");
  assertEquals(positions.last(), "3");
  hear(positions, 4);
  assertEquals(positions.last(), "4");
});

Deno.test("a server that counts anew and says nothing meanwhile is where its copy is", () => {
  const positions = heardPositions();
  hear(positions, 30);
  positions.restart()("2");
  assertEquals(positions.last(), "2");
});
