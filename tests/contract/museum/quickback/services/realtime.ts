import { defineRealtime } from "quickback";

export default defineRealtime({
  hall: {
    counted: {
      keys: ["total"],
      audience: { scope: "organization", roles: ["guide"], recipients: () => [] },
    },
  },
});
