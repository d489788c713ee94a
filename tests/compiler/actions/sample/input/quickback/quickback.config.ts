export default {
  name: "sample",
  openapi: { generate: false },
  webhooks: { outbound: true, inbound: ["forge"] },
  build: { dependencies: { "pluralize": "8.0.0" } },
};
