import { ActionError, defineHooks } from "quickback";
import { works } from "../schema";

export default defineHooks(works, {
  beforeCreate: ({ next }) => ({ loaned: next.state !== "stored" }),
  beforeUpdate({ changes }) {
    if (changes.shelf === -1) throw new ActionError("There is no such shelf", "NO_SHELF", 409);
    return changes.artist === undefined ? undefined : { insurer: null };
  },
  async afterUpdate({ emit, record, operation }) {
    await emit("work.changed", { id: record.id, operation });
  },
});
