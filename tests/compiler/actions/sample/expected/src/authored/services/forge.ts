import { defineWebhookProvider } from "@quickback/types";
export default defineWebhookProvider({
  name: "forge",
  verifySignature: (payload, signature, secret) => signature === `${secret}${payload.length}`,
  parseEvent: (payload) => ({ type: "seen", data: payload }),
});
