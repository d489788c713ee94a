import { defineRealtime } from "quickback";
export default defineRealtime({
  board: {
    changed: { keys: ["year"], audience: { scope: "organization", roles: ["admin"] } },
  },
});
