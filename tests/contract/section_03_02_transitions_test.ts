import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, START } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DESK } from "../support/desk_with_actions.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };

async function withJob(body: (api: ApiUnderTest, id: string) => Promise<void>): Promise<void> {
  await withCompiledActions(DESK, async (api) => {
    const made = await api.ask("jobs", { as: ANN, body: { title: "One" } });
    await body(api, String(made.body["id"]));
  });
}

Deno.test("a move answers with its state and stamp, and an illegal one says what it needs", async () => {
  await withJob(async (api, id) => {
    const move = (name: string) => api.ask(`jobs/${id}/${name}`, { as: ANN, method: "POST" });
    const stamp = new Date(START).toISOString();
    assertEquals((await move("open")).body, { success: true, status: "open", openedAt: stamp });
    const again = await move("open");
    assertEquals([again.status, again.body["code"], again.body["details"]], [
      409,
      "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
      { conditions: { status: { in: ["draft"] } } },
    ]);
    assertEquals((await move("reset")).body, { success: true, status: "draft" });
    assertEquals((await move("reset")).body, { success: true, status: "draft" });
    const { body } = await api.ask(`jobs/${id}`, { as: ANN });
    assertEquals([body["status"], body["openedAt"]], ["draft", null]);
    await move("open");
    await api.ask(`jobs/${id}/finish`, { as: ANN, body: { note: "Done" } });
    const late = await move("reset");
    assertEquals([late.status, late.body], [422, { error: "Too late", code: "CANNOT_RESET" }]);
  });
});

Deno.test("of many callers at once exactly one moves the record", async () => {
  await withJob(async (api, id) => {
    // Past the check of descriptions, which takes one request at a time.
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.ask(`jobs/${id}/open`, { as: ANN, method: "POST" })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assertEquals(statuses, [200, ...Array.from({ length: 7 }, () => 409)]);
    const finishing = await Promise.all(
      Array.from(
        { length: 8 },
        () => api.ask(`jobs/${id}/finish`, { as: ANN, body: { note: "Done" } }),
      ),
    );
    assertEquals(finishing.filter(({ status }) => status === 200).length, 1);
    assertEquals(finishing.filter(({ status }) => status === 409).length, 7);
  });
});
