import { defineWebhookProvider } from "quickback";

export default defineWebhookProvider({
  name: "gate",
  signatureHeader: "gate-signature",
  verifySignature: () => false,
  parseEvent: (payload) => ({ type: "opened", data: JSON.parse(payload) }),
});
