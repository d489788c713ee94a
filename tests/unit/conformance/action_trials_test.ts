/** An action that nobody can bring to success is a finding; one whose own code refuses what is tried is told (contract 4.7). */
import { assertEquals } from "@std/assert";
import { mismatchText } from "../../../proof/conformance/report.ts";
import { withApi } from "../../support/api.ts";
import { withCompiled } from "../../support/compiled_actions.ts";
import { conformanceOf, conformancePlan } from "../../support/conformance.ts";

const action = (rest: string) =>
  `import { ActionError, defineAction } from "quickback";
import { z } from "zod";
import { orders } from "../schema";

export default defineAction({ description: "Move it", input: z.object({}), ${rest} });
void [ActionError, orders];
`;

const MEMBER = 'access: { roles: ["member"] },';
const MOVE = 'transition: { field: "state", fromTo: { open: ["sent"] }, to: "sent" },';

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "trials" };\n',
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    state: q.enum(["open", "sent", "lost"]).required().default("open"),
  },
  read: { access: { roles: ["member"] } },
});
`,
  ...Object.fromEntries(
    Object.entries({
      leave: `${MEMBER} ${MOVE} execute: () => ({})`,
      "go-elsewhere": `${MEMBER} ${MOVE} execute: ({ db, whereTransition }) =>
        db.update(orders).set({ state: "lost" }).where(whereTransition(orders))`,
      contradict: `access: { roles: ["member"], record: { state: "sent" } }, ${MOVE}`,
      fail: `path: "./fail", ${MEMBER} execute: () => { throw new TypeError("no"); }`,
      decline: `path: "./decline", ${MEMBER}
        execute: () => { throw new ActionError("Not today", "NOT_TODAY"); }`,
    }).map(([name, rest]) => [`quickback/features/orders/actions/${name}.ts`, action(rest)]),
  ),
};

Deno.test("conformance finds each action that nobody can bring to success, and no other", () =>
  withCompiled(FILES, ({ model, code }) =>
    withApi(model, async (api) => {
      const plan = conformancePlan(model);
      const { mismatches, uncovered } = await conformanceOf(model, api, { plan });
      const found = mismatches.map((
        { route, purpose, differences },
      ) => [route, purpose, ...differences]);
      const purpose = "bring the action to success";
      const failed = "nobody does; this was answered 500 ACTION_EXECUTION_FAILED";
      assertEquals(found.sort(), [
        ["runOrders_Contradict", purpose, "nobody is let in"],
        ["runOrders_Fail", purpose, failed],
        ["runOrders_GoElsewhere", purpose, failed],
      ], mismatches.map(mismatchText).join("\n"));
      const own = uncovered.filter(({ reason }) =>
        reason === "its own code refuses what was tried"
      );
      assertEquals(own.map(({ route }) => route), ["runOrders_Decline"]);
    }, { actions: code })));
